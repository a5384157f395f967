"""A Python application as a test drives it: a JSON object a line on standard input, and on standard output.

Messages are described as in vectors/messages.json: values are triples of name, type and value.
"""

import hashlib
import json
import sys
import threading

import metaq

TYPES = {"byte": metaq.Byte, "short": metaq.Short, "int": metaq.Int, "long": int, "float": metaq.Float, "double": float}
HEADERS = {
    "type": "type",
    "correlationId": "correlation_id",
    "replyTo": "reply_to",
    "priority": "priority",
    "persistent": "persistent",
    "groupId": "group_id",
    "groupSeq": "group_seq",
}
LARGE = 1_000_000
output = threading.Lock()


def say(**what):
    with output:
        sys.stdout.write(json.dumps(what) + "\n")
        sys.stdout.flush()


def value(kind, described):
    if kind in TYPES:
        return TYPES[kind](described)
    if kind == "bytes":
        return bytes.fromhex(described)
    if kind == "char":
        return metaq.Char(chr(described))
    return described


def named(triples):
    return {name: value(kind, described) for name, kind, described in triples}


def generated(kind, size):
    if kind == "text":
        return "aä漢😀" * (size // 10)
    return bytes(range(256)) * (size // 256)


def message(described):
    kind = described["kind"]
    body = described.get("body")
    if "size" in described:
        body = generated(kind, described["size"])
    elif kind == "bytes":
        body = bytes.fromhex(body)
    elif kind == "object":
        body = metaq.Object(bytes.fromhex(body))
    elif kind == "map":
        body = named(body)
    elif kind == "stream":
        body = [value(*pair) for pair in body]
    headers = {}
    for name, given in described["headers"].items():
        if name == "correlationIdBytes":
            headers["correlation_id"] = bytes.fromhex(given)
        elif name == "timeToLive":
            headers["time_to_live"] = given / 1000
        elif name == "delay":
            headers["delay"] = given / 1000
        else:
            headers[HEADERS[name]] = given
    if kind == "nulltext":
        headers["kind"] = metaq.BodyKind.NULL_TEXT
    return metaq.Message(body, named(described["properties"]), **headers)


def pair(plain):
    kind = metaq.type_name(plain)
    if kind in ("float", "double"):
        number = float(plain)
        if number != number:
            return [kind, "NaN"]
        if number in (float("inf"), float("-inf")):
            return [kind, "Infinity" if number > 0 else "-Infinity"]
        return [kind, number]
    if kind in ("byte", "short", "int", "long"):
        return [kind, int(plain)]
    if kind == "bytes":
        return [kind, bytes(plain).hex()]
    if kind == "char":
        return [kind, ord(plain)]
    return [kind, plain]


def triples(values):
    return [[name] + pair(plain) for name, plain in values.items()]


def headers_of(message):
    found = {
        "type": message.type,
        "replyTo": message.reply_to,
        "priority": None if message.priority == 4 else message.priority,
        "persistent": None if message.persistent else False,
        "groupId": message.group_id,
        "groupSeq": message.group_seq,
        "timeToLive": message.expiration and message.expiration - message.timestamp,
        "delay": message.delivery_time and message.delivery_time - message.timestamp,
    }
    if isinstance(message.correlation_id, bytes):
        found["correlationIdBytes"] = message.correlation_id.hex()
    else:
        found["correlationId"] = message.correlation_id
    return {name: given for name, given in found.items() if given is not None}


def described(message):
    kinds = {metaq.BodyKind.NULL_TEXT: "nulltext"}
    kind = kinds.get(message.kind, message.kind.name.lower())
    made = {"kind": kind, "headers": headers_of(message), "properties": triples(message.properties)}
    body = message.body
    raw = body.encode("utf-8") if kind == "text" else body
    if kind in ("text", "bytes") and len(raw) >= LARGE:
        made["size"] = len(raw)
        made["sha256"] = hashlib.sha256(raw).hexdigest()
    elif kind == "text":
        made["body"] = body
    elif kind in ("bytes", "object"):
        made["body"] = bytes(body).hex()
    elif kind == "map":
        made["body"] = triples(body)
    elif kind == "stream":
        made["body"] = [pair(plain) for plain in body]
    return made


def send(client, queue, messages):
    with client.producer(timeout=60) as producer:
        for given in messages:
            producer.send(queue, message(given))
    say(sent=len(messages))


def receive(client, queue, count):
    """Each message as it comes; None if it does not within ten seconds."""
    with client.receiver(queue) as consumer:
        for _ in range(count):
            received = consumer.receive(timeout=10)
            say(received=None if received is None else described(received))
            if received is None:
                return
            consumer.ack(received)


def produce(client, topic, producer_name, first, count):
    """Sends numbered messages without waiting, and says of each what became of it."""
    with client.producer(timeout=120) as producer:

        def done(number, future):
            error = future.exception()
            if error is None:
                result = future.result()
                say(acknowledged=[number, result.partition, result.offset])
            else:
                say(failed=[number, repr(error)])

        for number in range(first, first + count):
            name = "{}:{}:".format(producer_name, number)
            future = producer.send_async(topic, (name + "x" * (100 - len(name))).encode())
            future.add_done_callback(lambda future, number=number: done(number, future))
        producer.flush()
    say(produced=count)


def consume(client, topic, group):
    """A member of a group, until the process ends."""

    def run():
        with client.group_consumer(group, [topic]) as consumer:
            say(consuming=topic)
            for received in consumer:
                say(consumed=[received.partition, received.body.decode().rsplit(":", 1)[0]])

    threading.Thread(target=run, daemon=True).start()


def main():
    client = None
    for line in sys.stdin:
        command = json.loads(line)
        what = command.pop("do")
        try:
            if what == "connect":
                client = metaq.connect(command["server"], timeout=60, connect_timeout=60)
                say(connected=metaq.__version__)
            else:
                {"send": send, "receive": receive, "produce": produce, "consume": consume}[what](client, **command)
        except Exception as error:
            say(error="{}: {!r}".format(what, error))
            raise


main()
