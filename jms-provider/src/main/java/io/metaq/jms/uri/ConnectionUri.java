package io.metaq.jms.uri;

import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;

/** {@code metaq://host:port[,host:port...][?option=value&...]}, {@code metaqs://} for TLS. */
public final class ConnectionUri {

    private ConnectionUri() {}

    /** @throws IllegalArgumentException when it is not such a URI; the text says what is wrong */
    public static ConnectionOptions parse(String uri) {
        boolean secure = uri.startsWith("metaqs://");
        if (!secure && !uri.startsWith("metaq://")) {
            throw new IllegalArgumentException("'" + uri + "' does not begin with metaq:// or metaqs://");
        }
        String rest = uri.substring(uri.indexOf("://") + 3);
        int query = rest.indexOf('?');
        String addresses = query < 0 ? rest : rest.substring(0, query);
        Map<ConnectionOption, String> values = new EnumMap<>(ConnectionOption.class);
        if (query >= 0) {
            for (String pair : rest.substring(query + 1).split("&")) {
                int equals = pair.indexOf('=');
                String key = equals < 0 ? pair : pair.substring(0, equals);
                ConnectionOption option = ConnectionOption.named(key)
                        .orElseThrow(() -> new IllegalArgumentException("there is no connection option '" + key + "'"));
                values.put(option, URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return new ConnectionOptions(
                addresses.isEmpty() ? ConnectionOptions.DEFAULT_ADDRESS : addresses, secure, values);
    }
}
