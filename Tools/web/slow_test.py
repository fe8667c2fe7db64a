"""Clients that are slow on purpose, and many of them: others are served meanwhile, and in the end nothing is left."""
import contextlib
import time
import unittest

from explorer import Explorer

SLOW, MANY = 256, 3000
# What the server says of itself: nothing said for 10 s, or a request that takes 30 s.
IDLE, WHOLE, SPARE = 10, 30, 8


class SlowTests(unittest.TestCase):
    def setUp(self):
        self.explorer = Explorer()
        self.addCleanup(self.explorer.close)
        self.explorer.get("/search.json?q=lion")
        self.descriptors = self.explorer.descriptors
        self.open = contextlib.ExitStack()
        self.addCleanup(self.open.close)

    def connections(self, count, first):
        """So many connections, on each of which something has been said."""
        made = []
        for _ in range(count):
            connection = self.open.enter_context(self.explorer.connect())
            connection.sendall(first)
            made.append(connection)
        return made

    def assert_served_while_dripping(self, connections, byte, seconds):
        """Says a byte on each connection each second while a good client asks ten times, and is answered."""
        for _ in range(seconds):
            for connection in connections:
                with contextlib.suppress(OSError):
                    connection.send(byte)
            for _ in range(10):
                self.assertEqual(self.explorer.get("/search.json?q=pantera+leo")[0], 200)
                time.sleep(0.1)

    def closed(self, connections, seconds):
        """How many of the connections the server ends within so many seconds, or a little more."""
        open_ones = set(connections)
        for connection in connections:
            connection.setblocking(False)
        for _ in range(10 * seconds):
            if not open_ones:
                break
            for connection in list(open_ones):
                try:
                    while connection.recv(1 << 16):
                        pass
                    open_ones.discard(connection)
                except BlockingIOError:
                    pass
                except OSError:
                    open_ones.discard(connection)
            time.sleep(0.1)
        return len(connections) - len(open_ones)

    def assert_nothing_is_left(self):
        """No descriptor more than before, once everybody has gone."""
        self.open.close()
        for _ in range(50):
            if self.explorer.descriptors <= self.descriptors + 1:
                break
            time.sleep(0.1)
        self.assertLessEqual(self.explorer.descriptors, self.descriptors + 1)
        self.assertEqual(self.explorer.get("/search.json?q=lion")[0], 200)

    def head(self, *fields, method="GET", target="/"):
        return "\r\n".join([f"{method} {target} HTTP/1.1", f"Host: {self.explorer.host}", *fields, ""]).encode()

    def test_connections_that_say_nothing(self):
        slow = self.connections(SLOW, b"")
        self.assert_served_while_dripping(slow, b"", 3)
        self.assertGreater(self.explorer.descriptors, SLOW, "they are not open at once")
        self.assertEqual(self.closed(slow, IDLE + SPARE), SLOW)
        self.assert_nothing_is_left()

    def test_connections_that_say_nothing_after_an_answer(self):
        slow = self.connections(SLOW, self.head() + b"\r\n")
        self.assert_served_while_dripping(slow, b"", 3)
        self.assertEqual(self.closed(slow, IDLE + SPARE), SLOW)
        self.assert_nothing_is_left()

    def assert_ended_while_dripping(self, slow):
        """They go on with it until the server has had enough."""
        left = SLOW
        for _ in range(WHOLE + SPARE):
            for connection in slow:
                with contextlib.suppress(OSError):
                    connection.send(b"b")
            left = SLOW - self.closed(slow, 1)
            if not left:
                break
        self.assertEqual(left, 0, "connections are still open")

    def test_heads_that_come_byte_by_byte(self):
        slow = self.connections(SLOW, self.head() + b"A: ")
        self.assert_served_while_dripping(slow, b"b", 5)
        self.assert_ended_while_dripping(slow)
        self.assert_nothing_is_left()

    def test_forms_that_come_byte_by_byte(self):
        """Half of them are answered before they have come to their end, for nothing takes them."""
        slow = []
        for target in ("/favorites", "/nothing"):
            slow += self.connections(SLOW // 2, self.head(
                f"Origin: {self.explorer.address}", "Content-Type: application/x-www-form-urlencoded",
                "Content-Length: 60000", method="POST", target=target) + b"\r\n")
        self.assert_served_while_dripping(slow, b"a", 5)
        self.assert_ended_while_dripping(slow)
        self.assert_nothing_is_left()

    def test_answers_that_nobody_reads(self):
        """Each asks for a large file again and again, and reads nothing of what comes."""
        before = self.explorer.resident
        slow = []
        for _ in range(SLOW):
            connection = self.open.enter_context(self.explorer.connect())
            connection.setblocking(False)
            with contextlib.suppress(OSError):
                connection.sendall((self.head(target="/assets/look.css") + b"\r\n") * 30)
            slow.append(connection)
        self.assert_served_while_dripping([], b"", 5)  # The server writes what there is room for.
        # What is not read is not kept without end.
        self.assertLess(self.explorer.resident - before, 64 << 20)
        time.sleep(WHOLE + 2)
        for connection in slow:
            connection.settimeout(0)
        self.assertEqual(self.closed(slow, SPARE), SLOW)
        self.assert_nothing_is_left()

    def test_requests_sent_far_ahead(self):
        """No browser sends hundreds of requests before it reads an answer: the connection ends."""
        before = self.explorer.resident
        slow = self.connections(SLOW, (self.head(target="/assets/look.css") + b"\r\n") * 400)
        self.assert_served_while_dripping([], b"", 3)
        self.assertEqual(self.closed(slow, SPARE), SLOW)
        self.assertLess(self.explorer.resident - before, 64 << 20)
        self.assert_nothing_is_left()

    def test_thousands_of_connections(self):
        """Opened and left, a few hundred at a time; those that come afterwards are served."""
        for _ in range(MANY // 250):
            for connection in self.connections(250, self.head()):
                connection.close()
        self.assert_nothing_is_left()

    def test_more_connections_than_are_served_at_once(self):
        """Whoever comes while as many wait as may is served once they have been idle for too long."""
        crowd = self.connections(700, b"")
        with self.explorer.connect(IDLE + SPARE) as connection:
            connection.sendall(self.head() + b"\r\n")
            self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 200 "))
        self.assertEqual(self.closed(crowd, IDLE + SPARE), 700)
        self.assert_nothing_is_left()


if __name__ == "__main__":
    unittest.main()
