package io.metaq.example.spring;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * {@code narayana.*}.
 *
 * @param node name of this node, 28 bytes at most, no other's that uses the same broker or database
 * @param log folder of the transaction log; belongs to this node alone and must outlive it
 */
@ConfigurationProperties("narayana")
record NarayanaProperties(String node, String log) {}
