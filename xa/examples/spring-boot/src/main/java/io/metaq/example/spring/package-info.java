/** Queues and a database in one transaction, with Spring Boot and Narayana. */
@NullMarked
package io.metaq.example.spring;

import org.jspecify.annotations.NullMarked;
