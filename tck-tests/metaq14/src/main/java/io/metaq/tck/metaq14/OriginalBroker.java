package io.metaq.tck.metaq14;

import com.taobao.gecko.service.config.ServerConfig;
import com.taobao.metamorphosis.network.MetamorphosisWireFormatType;
import com.taobao.metamorphosis.server.assembly.MetaMorphosisBroker;
import com.taobao.metamorphosis.server.utils.MetaConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The original broker. Argument: its {@code server.ini}. Tells {@code * started PORT}; the request {@code stop} stops it
 * in the orderly way.
 */
public final class OriginalBroker {
    private OriginalBroker() {}

    public static void main(String[] arguments) throws Exception {
        var loop = new DriverLoop();
        var config = new MetaConfig();
        config.loadFromFile(arguments[0]);
        var broker = new MetaMorphosisBroker(config);
        broker.getRemotingServer().setServerConfig(onLoopback(config.getServerPort()));
        broker.start();
        loop.event("started", config.getServerPort());
        loop.run((verb, ignored) -> {
            if (verb.equals("stop")) {
                broker.stop();
            }
            return List.of();
        });
        Runtime.getRuntime().halt(0);
    }

    /** The broker itself would listen on every address. */
    private static ServerConfig onLoopback(int port) {
        var config = new ServerConfig();
        config.setWireFormatType(new MetamorphosisWireFormatType());
        config.setPort(port);
        config.setLocalInetSocketAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return config;
    }
}
