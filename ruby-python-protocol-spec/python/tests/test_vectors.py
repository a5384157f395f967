"""The protocol's vectors, against the codec."""

import json
import os
import unittest

from metaq import BodyKind, MalformedMessageError, Message, ReceivedMessage, balance
from metaq import message as messages
from metaq import payloads, properties, types
from metaq._protocol import frames, parsing, storage
from metaq.core.balance import consist
from metaq.vectors import read

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "vectors")


def cuts(data: bytes):
    """The whole, and in two pieces cut at every place; of long ones at a hundred places."""
    yield (data,)
    for at in range(1, len(data), max(1, len(data) // 100)):
        yield data[:at], data[at:]


class RequestVectorsTest(unittest.TestCase):
    def test_requests_are_read_and_written_as_they_stand(self) -> None:
        for vector in read([VECTORS]):
            with self.subTest(str(vector)):
                for pieces in cuts(vector.sent):
                    decoder = parsing.RequestDecoder()
                    found, refused = [], False
                    try:
                        for piece in pieces:
                            found += decoder.feed(piece)
                    except parsing.Malformed:
                        refused = True
                    self.assertEqual("malformed" in vector.marks, refused)
                    self.assertEqual("incomplete" in vector.marks, not refused and decoder.open_bytes > 0)
                    if not refused and not {"lenient", "incomplete"} & set(vector.marks):
                        self.assertEqual(vector.sent, b"".join(request.again for request in found))

    def test_there_are_vectors(self) -> None:
        self.assertGreater(len(read([VECTORS])), 250)


class ReplyVectorsTest(unittest.TestCase):
    def test_replies_are_read_and_written_as_they_stand(self) -> None:
        for vector in read([VECTORS]):
            with self.subTest(str(vector)):
                examples = [frame.example() for frame in vector.frames]
                data = b"".join(examples)
                for pieces in cuts(data):
                    decoder = frames.FrameDecoder()
                    found = [frame for piece in pieces for frame in decoder.feed(piece)]
                    self.assertEqual(examples, [frames.encode(frame) for frame in found])
                    self.assertEqual(0, decoder.open_bytes)

    def test_what_is_no_reply_is_refused(self) -> None:
        for data in (b"HTTP/1.1 400\r\n", b"result 200 -1 5\r\n", b"value x 1\r\n", b"result 200 0\r\n", b"\r\n"):
            with self.subTest(data), self.assertRaises(frames.ProtocolError):
                frames.FrameDecoder().feed(data)
        with self.assertRaises(frames.ProtocolError):
            frames.FrameDecoder(max_line=10).feed(b"result 200 0 5")


def _value(kind: str, value: object) -> object:
    if kind == "bytes":
        return bytes.fromhex(value)
    made = {"byte": types.Byte, "short": types.Short, "int": types.Int, "float": types.Float}.get(kind)
    if made is not None:
        return made(value)
    if kind == "char":
        return types.Char(chr(value))
    return float(value) if kind == "double" else value


def _described(value: object) -> list:
    """As the vectors describe a value; floats by their bits, so that NaN is NaN."""
    kind = types.type_name(value)
    return [kind, properties.encode_item(value).hex()]


class MessageVectorsTest(unittest.TestCase):
    def setUp(self) -> None:
        with open(os.path.join(VECTORS, "messages.json"), encoding="utf-8") as file:
            self.vectors = json.load(file)

    def received(self, vector: dict) -> ReceivedMessage:
        stored = storage.encode(bytes.fromhex(vector["body"]), vector["flag"])
        return ReceivedMessage("t", 0, 0, storage.split(stored, 0).messages[0])

    def sound(self) -> list:
        return [vector for vector in self.vectors if "malformed" not in vector]

    def test_bodies_are_read(self) -> None:
        for vector in self.sound():
            with self.subTest(vector["name"]):
                attribute, headers, own, payload = self.received(vector)._parts()
                self.assertEqual(vector.get("attribute"), attribute)
                expected = [[n, *_described(_value(t, v))] for n, t, v in vector["properties"]]
                self.assertEqual(expected, [[name, *_described(value)] for name, value in own.items()])
                known = {getattr(properties, n): _described(_value(t, v)) for n, t, v in vector["headers"]}
                names = set(range(1, 20))
                self.assertEqual(known, {n: _described(v) for n, v in headers.items() if n in names})
                self.check_payload(vector, payload)

    def check_payload(self, vector: dict, payload: bytes) -> None:
        described = vector["payload"]
        if "chunks" in described:
            self.assertEqual(tuple(described["chunks"]), self.received(vector).large.offsets)
            return
        message = self.received(vector)
        self.assertEqual(described["kind"] if described["kind"] is not None else BodyKind.BYTES, message.kind)
        if "text" in described:
            self.assertEqual(described["text"], message.body)
        elif "map" in described:
            expected = [[n, *_described(_value(t, v))] for n, t, v in described["map"]]
            self.assertEqual(expected, [[name, *_described(value)] for name, value in message.body.items()])
        elif "stream" in described:
            self.assertEqual([_described(_value(*item)) for item in described["stream"]], list(map(_described, message.body)))
        elif "object" in described or message.kind == BodyKind.BYTES:
            self.assertEqual(bytes.fromhex(described.get("object", described.get("bytes"))), message.body)
        else:
            self.assertIsNone(message.body)
            self.assertEqual(bytes.fromhex(described.get("bytes", "")), message.payload)

    def test_canonical_bodies_are_written(self) -> None:
        for vector in self.sound():
            if not vector["canonical"]:
                continue
            with self.subTest(vector["name"]):
                received = self.received(vector)
                large = received.large
                if large is not None:
                    received.complete(b"")
                content = received.content
                headers = {name for name, _, _ in vector["headers"]}
                if "MESSAGE_ID" not in headers:
                    content.message_id = None
                flag, body = messages.encode(content, received.payload, 0, None, large, stamp=False)
                self.assertEqual((vector["flag"], vector["body"]), (flag, body.hex()))

    def test_malformed_bodies_are_found_out(self) -> None:
        for vector in self.vectors:
            if "malformed" not in vector:
                continue
            with self.subTest(vector["name"]):
                message = self.received(vector)
                with self.assertRaises(MalformedMessageError):
                    if vector["malformed"] == "payload":
                        message.large or message.body
                    else:
                        message._parts()

    def test_a_message_with_a_damaged_block_is_one_of_bytes(self) -> None:
        vector = next(vector for vector in self.vectors if vector.get("malformed") == "block")
        message = self.received(vector)
        self.assertEqual((BodyKind.BYTES, bytes.fromhex(vector["body"]), {}), (message.kind, message.body, message.properties))


class BalancingVectorsTest(unittest.TestCase):
    def test_all_members_compute_the_same(self) -> None:
        with open(os.path.join(VECTORS, "balancing.json"), encoding="utf-8") as file:
            for vector in json.load(file):
                with self.subTest(vector["name"], rule=vector["rule"]):
                    rule = balance if vector["rule"] == "DEFAULT" else consist
                    owned = rule(vector["members"], vector["partitions"])
                    self.assertEqual(vector["owned"], {m: sorted(p, key=lambda t: t.encode("utf-16-be")) for m, p in owned.items()})


class RoundTripTest(unittest.TestCase):
    def test_every_kind_of_body_comes_back(self) -> None:
        mapped = {"a": 1, "ä": types.Byte(-1), "f": types.Float(0.5), "n": None, "c": types.Char("x"), "b": b"\x00", "t": True}
        for body in (None, "", "täxt😀", b"", b"\xff", {}, mapped, [], list(mapped.values()), types.Object(b"\xac\xed")):
            with self.subTest(body=body):
                kind, payload = payloads.encode(body)
                back = payloads.decode(kind, payload)
                self.assertEqual(body, back)
                self.assertIs(type(body), type(back))

    def test_numbers_know_how_wide_they_are(self) -> None:
        for kind, beyond in ((types.Byte, 128), (types.Short, 1 << 15), (types.Int, 1 << 31), (types.Long, 1 << 63)):
            kind(beyond - 1), kind(-beyond)
            for wrong in (beyond, -beyond - 1):
                with self.assertRaises(ValueError):
                    kind(wrong)
        self.assertEqual(types.Float(0.1), types.Float(types.Float(0.1)))
        with self.assertRaises(ValueError):
            types.Float(1e300)
        for wrong in ("", "ab", "😀"):
            with self.assertRaises(ValueError):
                types.Char(wrong)

    def test_forwarded_messages_keep_their_types(self) -> None:
        sent = Message({"x": types.Short(3)}, {"i": types.Int(5), "l": 5, "f": types.Float(1)}, priority=7, correlation_id=b"\x01")
        flag, body = messages.encode(sent, payloads.encode(sent.body)[1], 0)
        received = ReceivedMessage("t", 0, 0, storage.split(storage.encode(body, flag), 0).messages[0])
        again = received.forward()
        self.assertEqual((flag, body), messages.encode(again, payloads.encode(again.body)[1], 0))
        self.assertEqual(("int", "long", "float"), tuple(map(received.property_type, "ilf")))
        self.assertIsNone(received.property_type("other"))


if __name__ == "__main__":
    unittest.main()
