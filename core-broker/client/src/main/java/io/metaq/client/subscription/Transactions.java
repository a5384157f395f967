package io.metaq.client.subscription;

import io.metaq.client.net.ServerInfo;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.TransactionKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a subscriber's transactions. Steps that add something are numbered, so that the broker recognises one that is sent again.
 * Remembers at which broker a transaction is: another one knows nothing of it, and its answer would be taken for the truth. Belongs to the
 * loop, but for the making of calls.
 */
final class Transactions {
    /** Branches that others finish are never heard of again. */
    private static final int REMEMBERED = 10_000;

    /** Where a transaction is, and the number that the broker gave it; no other of the same key is meant. */
    private record Home(int broker, long number) {}

    private static final Pattern NUMBER = Pattern.compile("number (\\d{1,18})");

    private static final String UNKNOWN_TRANSACTION = "XAException:code=" + Enlistment.NOTA + ',';

    private final long producerId = new SecureRandom().nextLong() | 1;
    private final String session = "link-" + Long.toHexString(producerId);
    private final Map<TransactionKey, Home> homes = new LinkedHashMap<>();
    private long next;
    private volatile String resourceManager = "";
    private volatile int maxBody = Integer.MAX_VALUE;
    private boolean offered;

    void connected(ServerInfo info) {
        resourceManager = info.resourceManager();
        maxBody = info.maxBody();
        offered = info.offers("transaction");
    }

    String resourceManager() {
        return resourceManager;
    }

    int maxBody() {
        return maxBody;
    }

    /** A local transaction, done in one step. */
    Call transact(byte[] body) {
        return Call.repeated(
                        "transact",
                        new Numbered((opaque, sequence) ->
                                new Request.Transact(wrapped(body), opaque, producerId, sequence)))
                .boundToItsBroker();
    }

    Call enlist(Enlistment step, byte[] body) {
        TransactionKey key = step.key();
        Request.Enlist.Then then = Request.Enlist.Then.valueOf(step.then().name());
        Numbered request = new Numbered((opaque, sequence) -> new Request.Enlist(
                key, then, step.timeoutSeconds(), step.begun(), wrapped(body), opaque, producerId, sequence));
        return Call.repeated("transaction " + key.token(), request).of(key).before(text -> {
            if (step.then() == Enlistment.Then.COMMIT || result(text) == Enlistment.READ_ONLY) {
                homes.remove(key);
            } else {
                numbered(key, text);
            }
        });
    }

    Call step(TransactionKey key, TransactionStep step) {
        Request.Transaction.Step wanted = Request.Transaction.Step.valueOf(step.name());
        String qualifier = key instanceof TransactionKey.Xa xa ? xa.uniqueQualifier() : null;
        Call call = Call.repeated(
                        "transaction " + step + ' ' + key.token(),
                        opaque -> new Request.Transaction(key, session, wanted, 0, qualifier, opaque, number(key)))
                .of(key);
        return switch (step) {
            case PREPARE -> call;
            case COMMIT_ONE_PHASE -> over(call.doubtfulWhenRepeated(Transactions::isUnknown), key);
            case COMMIT_TWO_PHASE, ROLLBACK, FORGET -> over(call.fineWhenRepeated(Transactions::isUnknown), key);
        };
    }

    private Call over(Call call, TransactionKey key) {
        return call.before(text -> homes.remove(key));
    }

    private void numbered(TransactionKey key, String text) {
        Matcher found = NUMBER.matcher(text);
        if (found.find()) {
            long number = Long.parseLong(found.group(1));
            homes.computeIfPresent(key, (same, home) -> new Home(home.broker, number));
        }
    }

    private long number(TransactionKey key) {
        Home home = homes.get(key);
        return home == null ? Request.ABSENT : home.number;
    }

    Call recover(@Nullable String uniqueQualifier) {
        return Call.repeated(
                "recover",
                opaque -> new Request.Transaction(
                        TransactionKey.NULL, session, Request.Transaction.Step.RECOVER, 0, uniqueQualifier, opaque));
    }

    private static boolean isUnknown(Response.Result result) {
        return result.text().startsWith(UNKNOWN_TRANSACTION);
    }

    /** What a step ends with; a repeated one that found no transaction any more ended well. */
    static int result(String text) {
        return text.strip().equals(String.valueOf(Enlistment.READ_ONLY)) ? Enlistment.READ_ONLY : Enlistment.PREPARED;
    }

    static List<TransactionKey.Xa> keys(String text) {
        List<TransactionKey.Xa> keys = new ArrayList<>();
        for (String line : text.split("\r\n", -1)) {
            if (line.startsWith("XID:") && TransactionKey.parse(line) instanceof TransactionKey.Xa xa) {
                keys.add(xa);
            }
        }
        return keys;
    }

    /** Whether the broker understands the call. */
    boolean offers(Call call) {
        return call.key == null || offered;
    }

    /** Why this broker must not be asked, null if it can be. */
    @Nullable
    String objection(Call call, int broker) {
        if (!call.bound) {
            return null;
        }
        TransactionKey key = call.key;
        Home known = key == null ? null : homes.get(key);
        int home = known != null ? known.broker : call.maybeDone ? call.broker : broker;
        return home == broker ? null : "the transaction is with broker " + home + ", not with " + broker;
    }

    /** The call is about to be written to the broker. */
    void sending(Call call, int broker) {
        call.broker = broker;
        if (call.key != null && call.request instanceof Numbered) {
            homes.putIfAbsent(call.key, new Home(broker, Request.ABSENT));
            if (homes.size() > REMEMBERED) {
                homes.remove(homes.keySet().iterator().next());
            }
        }
    }

    private static ByteBuf wrapped(byte[] body) {
        return Unpooled.wrappedBuffer(body);
    }

    /** Makes a request with the number of a step. */
    private interface NumberedRequest {
        Request make(int opaque, long sequence);
    }

    /** Takes its number when it is first written: the broker has to see them in their order, whichever thread commits first. */
    private final class Numbered implements IntFunction<Request> {
        private final NumberedRequest request;
        private long sequence = Request.ABSENT;

        Numbered(NumberedRequest request) {
            this.request = request;
        }

        @Override
        public Request apply(int opaque) {
            if (sequence == Request.ABSENT) {
                sequence = next++;
            }
            return request.make(opaque, sequence);
        }
    }
}
