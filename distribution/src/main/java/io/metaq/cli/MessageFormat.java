package io.metaq.cli;

/** How messages stand in a stream of bytes. */
enum MessageFormat {
    /** One message per line; written with a line feed after each. */
    LINES,
    /** One JSON object per line: data as text, or base64 where it is not UTF-8, with key, attribute, flag and partition. */
    JSON,
    /** Bytes without any boundary: produce makes one message of a whole input, consume writes payloads one after the other. */
    RAW
}
