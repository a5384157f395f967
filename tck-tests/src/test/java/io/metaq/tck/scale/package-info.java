/**
 * What much of something costs: long backlogs, many selectors, many groups; and what others notice of it. As tests they are small;
 * {@code tck-tests/run scale} makes them as large as the promises, and prints figures.
 */
package io.metaq.tck.scale;
