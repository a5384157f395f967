package io.metaq.tck.jms;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a test shows. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Covers {

    /** Sections of Jakarta Messaging 3.1, such as {@code 7.3.4}. */
    String[] sections() default {};

    /** Numbers of {@link ProviderRule}s. */
    int[] rules() default {};
}
