package io.metaq.broker.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The OpenAPI document and the routes say the same, and the document keeps the rules of OpenAPI 3.0. */
class OpenApiTest {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    private static JsonNode document() throws IOException {
        try (InputStream in = OpenApiTest.class.getResourceAsStream("openapi.json")) {
            return new ObjectMapper().readTree(in);
        }
    }

    /** What a document or a route says of one operation. */
    private record Operation(
            Set<String> parameters, Set<String> consumes, Set<String> produces, Set<String> statuses, boolean login) {}

    @Test
    void shouldSayOfEveryRouteWhatTheCodeSays() throws IOException {
        Map<String, Operation> expected = new TreeMap<>();
        // None of them is asked for anything here.
        for (Route route : Routes.of(null)) {
            expected.put(route.method() + " " + route.template(), operation(route));
        }
        Map<String, Operation> said = new TreeMap<>();
        JsonNode document = document();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method -> said.put(
                                method.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(),
                                operation(document, method.getValue()))));
        assertThat(said).isEqualTo(expected);
    }

    private static Operation operation(Route route) {
        Set<String> parameters = new TreeSet<>();
        Pattern.compile("\\{(\\w+)}")
                .matcher(route.template())
                .results()
                .forEach(found -> parameters.add("path " + found.group(1)));
        route.query().forEach(name -> parameters.add("query " + (name.endsWith(".") ? name + "NAME" : name)));
        route.headers().forEach(name -> parameters.add("header " + name));
        Set<String> statuses = new TreeSet<>(Set.of("default"));
        route.statuses().forEach(status -> statuses.add(status.toString()));
        boolean content = !route.statuses().contains(204);
        return new Operation(
                parameters,
                new TreeSet<>(route.consumes()),
                content ? new TreeSet<>(route.produces()) : Set.of(),
                statuses,
                route.needsLogin());
    }

    private static Operation operation(JsonNode document, JsonNode operation) {
        Set<String> parameters = new TreeSet<>();
        for (JsonNode given : operation.path("parameters")) {
            JsonNode parameter = resolve(document, given);
            parameters.add(parameter.get("in").textValue() + " "
                    + parameter.get("name").textValue());
            assertThat(parameter.get("description").textValue()).isNotBlank();
            assertThat(parameter.path("required").asBoolean())
                    .isEqualTo(parameter.get("in").textValue().equals("path"));
        }
        JsonNode responses = operation.get("responses");
        JsonNode success = responses.properties().stream()
                .filter(response -> response.getKey().startsWith("2"))
                .findFirst()
                .orElseThrow()
                .getValue();
        return new Operation(
                parameters,
                names(operation.at("/requestBody/content")),
                names(success.path("content")),
                names(responses),
                !operation.has("security"));
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static JsonNode resolve(JsonNode document, JsonNode node) {
        return node.has("$ref")
                ? document.at(JsonPointer.compile(node.get("$ref").textValue().substring(1)))
                : node;
    }

    @Test
    void shouldKeepTheRulesOfOpenApi() throws IOException {
        JsonNode document = document();
        assertThat(document.get("openapi").textValue()).startsWith("3.0.");
        assertThat(document.at("/info/title").textValue()).isNotBlank();
        assertThat(document.at("/info/version").textValue()).isNotBlank();
        for (JsonNode reference : document.findValues("$ref")) {
            assertThat(reference.textValue()).startsWith("#/");
            assertThat(document.at(JsonPointer.compile(reference.textValue().substring(1)))
                            .isObject())
                    .as(reference.textValue())
                    .isTrue();
        }
        Set<String> ids = new HashSet<>();
        document.get("paths")
                .forEach(path -> path.properties().forEach(method -> {
                    assertThat(METHODS).contains(method.getKey());
                    JsonNode operation = method.getValue();
                    assertThat(ids.add(operation.get("operationId").textValue()))
                            .isTrue();
                    assertThat(operation.get("summary").textValue()).isNotBlank();
                    operation
                            .get("responses")
                            .forEach(response -> assertThat(resolve(document, response)
                                            .get("description")
                                            .textValue())
                                    .isNotBlank());
                }));
        document.at("/components/schemas")
                .forEach(schema -> schema.path("required")
                        .forEach(name -> assertThat(schema.get("properties").has(name.textValue()))
                                .isTrue()));
    }
}
