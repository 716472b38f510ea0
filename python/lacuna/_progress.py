"""Progress of a fit on standard error."""

import sys
from contextlib import contextmanager


@contextmanager
def progress_of(verbose):
    """A function for the library to call, or None; the line that it draws is wiped at the end."""
    if not verbose:
        yield None
        return
    bar = _Bar(sys.stderr)
    try:
        yield bar
    finally:
        bar.close()


class _Bar:
    def __init__(self, stream):
        self.stream = stream
        self.terminal = hasattr(stream, "isatty") and stream.isatty()
        self.stage = None

    def __call__(self, stage, done, total, best):
        text = f"{stage} {done}" + (f"/{total}" if total > 0 else "") + (f"  best {best:.4g}" if best == best else "")
        if self.terminal:
            self.stream.write(f"\r\033[K[lacuna] {text}")
        elif stage != self.stage:  # a log gets one line for each stage
            self.stream.write(f"[lacuna] {text}\n")
        self.stage = stage
        self.stream.flush()

    def close(self):
        if self.terminal and self.stage is not None:
            self.stream.write("\r\033[K")
            self.stream.flush()
