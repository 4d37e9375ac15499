"""Turns of measuring, shared with neighbours on the same machine."""
import fcntl
import time


class Lock:
    """flock on a file that neighbours on this machine share.

    Taken before the first measurement and kept for `hold` seconds of them, then given up at the next
    point between two runs: few long turns, because a turn may have to wait for a long one of others.
    """

    def __init__(self, path, hold):
        self.path, self.hold, self.f, self.since = path, hold, None, 0
        self.waited = 0.0

    def __enter__(self):
        if self.path and not self.f:
            t = time.monotonic()
            self.f = open(self.path, "a")
            fcntl.flock(self.f, fcntl.LOCK_EX)
            self.since = time.monotonic()
            self.waited += self.since - t

    def __exit__(self, *_):
        if self.f and time.monotonic() - self.since > self.hold:
            self.give()

    def give(self):
        if self.f:
            self.f.close()
            self.f = None
            time.sleep(1)           # let a waiting neighbour have its turn

    def breathe(self):
        """Between two servers of one round."""
        self.__exit__()
        self.__enter__()
