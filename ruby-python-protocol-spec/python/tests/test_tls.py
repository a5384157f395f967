"""TLS and login."""

import os
import shutil
import subprocess
import tempfile
import unittest

import brokers
import metaq

PASSWORD = "a secret"


@unittest.skipUnless(shutil.which("openssl"), "there is no openssl to make a certificate")
class TlsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.directory = tempfile.mkdtemp(prefix="metaq-python-tls-")
        path = cls.path
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost", "-keyout", path("key.pem"), "-out", path("certificate.pem")],
            check=True, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        subprocess.run(
            ["openssl", "pkcs12", "-export", "-in", path("certificate.pem"), "-inkey", path("key.pem"),
             "-out", path("broker.p12"), "-passout", "pass:secret"],
            check=True,
        )  # fmt: skip
        cls.broker = brokers.BrokerProcess(
            {
                "tlsPort": "0",
                "tlsKeyStore": path("broker.p12"),
                "tlsKeyStorePassword": "secret",
                "allowAnonymous": "false",
                "usersFile": path("users"),
            },
            users={"anna": PASSWORD},
        )

    @classmethod
    def path(cls, name: str) -> str:
        return os.path.join(cls.directory, name)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.broker.stop()
        shutil.rmtree(cls.directory, ignore_errors=True)

    def connect(self, **options: object) -> metaq.Client:
        defaults = {"user": "anna", "password": PASSWORD, "timeout": 60.0, "connect_timeout": 60.0}
        client = metaq.connect("localhost:{}".format(self.broker.tls_port), **{**defaults, **options})
        self.addCleanup(client.close)
        return client

    def test_messages_go_encrypted(self) -> None:
        client = self.connect(tls=metaq.tls_context(self.path("certificate.pem")))
        client.admin.create_topic("secret", partitions=1)
        producer = client.producer()
        futures = [producer.send_async("secret", b"%d" % number + b"x" * 2000) for number in range(2000)]
        producer.flush()
        self.assertEqual(2000, len({future.result().offset for future in futures}))
        with client.reader("secret") as reader:
            self.assertEqual(b"1999", [reader.receive(60).body for _ in range(2000)][-1][:4])
        with client.receiver("secret.queue") as consumer:
            producer.send("secret.queue", "x" * 9_000_000)
            self.assertEqual(9_000_000, len(consumer.receive(60).body))

    def test_a_certificate_that_nobody_vouches_for_is_refused(self) -> None:
        with self.assertRaisesRegex(metaq.BrokerUnavailableError, "(?i)certificate"):
            self.connect(tls=True)

    def test_a_certificate_of_another_host_is_refused(self) -> None:
        context = metaq.tls_context(self.path("certificate.pem"))
        with self.assertRaisesRegex(metaq.BrokerUnavailableError, "(?i)mismatch|match"):
            self.connect(tls=context, tls_server_name="example.org")
        unchecked = metaq.tls_context(self.path("certificate.pem"), check_hostname=False)
        self.connect(tls=unchecked, tls_server_name="example.org").admin.topics()

    def test_wrong_users_are_refused_at_once(self) -> None:
        context = metaq.tls_context(self.path("certificate.pem"))
        for user, password in (("anna", "wrong"), ("nobody", PASSWORD), (None, None)):
            with self.subTest(user), self.assertRaises(metaq.UnauthorizedError):
                self.connect(tls=context, user=user, password=password)

    def test_plain_text_works_beside_it(self) -> None:
        with metaq.connect(self.broker.address, user="anna", password=PASSWORD) as client:
            client.admin.topics()


if __name__ == "__main__":
    unittest.main()
