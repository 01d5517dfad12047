"""A progress bar on stderr, where one is asked for; tqdm is loaded only then."""


class Progress:
    """A context whose value advances the bar by a number of steps, or does nothing without a bar."""

    def __init__(self, wanted, total, title, unit):
        self.bar = None
        if wanted:
            from tqdm import tqdm

            self.bar = tqdm(total=total, unit=unit, desc=title)

    def __enter__(self):
        return self.bar.update if self.bar is not None else lambda steps: None

    def __exit__(self, *raised):
        if self.bar is not None:
            self.bar.close()
