package io.metaq.broker.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** JSON as it is read and written here. */
final class Json {
    static final String CONTENT_TYPE = "application/json";

    /** Deepest nesting that anything here has is half of this. */
    private static final int MAX_DEPTH = 16;

    /** Strings are limited by the body that they come in. */
    static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(100)
                    .maxNameLength(65_535)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private static final JsonFactory ASCII =
            new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private Json() {}

    /** Writes a document or a part of one. */
    @FunctionalInterface
    interface Writing {
        void write(JsonGenerator json) throws IOException;
    }

    static byte[] bytes(Writing document) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            document.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** In printable ASCII alone, on one line: fit for a header of HTTP. */
    static String ascii(Writing document) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = ASCII.createGenerator(out)) {
            document.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }
}
