package io.metaq.state.dispatch;

import java.util.Map;

/**
 * Why a consumer gets nothing.
 *
 * @param reason the first thing that has to change before it gets something, as one sentence
 * @param figures what was counted, by name
 */
public record Explanation(String reason, Map<String, Long> figures) {}
