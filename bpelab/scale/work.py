"""The same function for many tasks: here, one after the other, or on the workers of a Dask client."""

from bpelab import checks
from bpelab.progress import Progress
from bpelab.scale import reading

#: What to do with records that cannot be read.
BAD = ("error", "list")


def checked(client, bad):
    """A client that has workers' methods (or None), and a known way with bad records."""
    checks.choice("bad", bad, BAD)
    if client is not None and not all(hasattr(client, name) for name in ("submit", "gather", "cancel")):
        raise TypeError(f"client must be a dask.distributed.Client or None, got {type(client).__name__}")


def run(client, function, tasks, *shared, title, progress=False, keep=False):
    """function(*task, *shared) for each task: the results in order; with keep, where they are (futures or values).

    What a lost worker held, Dask works out again. The first error cancels the rest and is raised here.
    """
    with Progress(progress, len(tasks), title, " tasks") as advance:
        if client is None:
            results = []
            for task in tasks:
                results.append(function(*task, *shared))
                advance(1)
            return results
        from distributed import as_completed

        common = [client.submit(itself, value, pure=False) for value in shared]
        futures = [client.submit(function, *task, *common, pure=False) for task in tasks]
        try:
            for future in as_completed(futures):
                if future.status == "error":
                    future.result()
                advance(1)
            return futures if keep else client.gather(futures)
        except BaseException:
            client.cancel(futures)
            raise


def itself(value):
    """What all tasks share, as a task of its own: sent once, and worked out again where a worker is lost."""
    return value


class BadRecords:
    """Told of a bad record, it raises the error that names it, or lists it: [(path, place, reason)]."""

    def __init__(self, path, bad):
        self.path, self.bad, self.listed = path, bad, []

    def __call__(self, at, reason):
        if self.bad == "error":
            record = numbered([(self.path, at, reason)])[0]
            raise ValueError(f"{record}; bad='list' goes on, and lists such records")
        self.listed.append((self.path, at, reason))


def numbered(listed):
    """Bad records by their lines (rows) instead of their places, sorted; each once."""
    places = {}
    for path, at, _ in sorted(listed):
        places.setdefault(path, []).append(at)
    numbers = {path: record_numbers(path, at) for path, at in places.items()}
    first = {}
    for path, at, reason in sorted(listed):
        first.setdefault((path, numbers[path][at]), reason)
    return tuple(reading.BadRecord(*where, reason) for where, reason in first.items())


def record_numbers(path, places):
    """Place -> number from 1, for sorted places in a file."""
    if reading.kind_of(path)[0] == "parquet":
        return {at: at + 1 for at in places}
    return reading.lines_of(path, places)
