"""The examples of the README, as they stand."""

import contextlib
import io
import os
import re
import unittest

import brokers

README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "README.md")


class ReadmeTest(unittest.TestCase):
    def test_the_examples_run(self) -> None:
        with open(README, encoding="utf-8") as file:
            examples = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertGreater(len(examples), 5)
        for number, example in enumerate(examples):
            with self.subTest(number=number), contextlib.redirect_stdout(io.StringIO()):
                # names of their own, as topics of other tests are not in the way
                exec(compile(example, "README.md, example {}".format(number), "exec"), {"address": brokers.shared().address})


if __name__ == "__main__":
    unittest.main()
