"""Corpora past one machine's memory: count, encode and measure files, here or on the workers of a Dask client.

`reading` cuts files into parts and parts into documents, `work` runs a function for each part, `counting` makes a
`table` that `bpelab.train` takes, `encoding` writes ids, `measuring` compares. Only merging stays on one machine.
"""

from bpelab.scale.counting import count_files
from bpelab.scale.encoding import encode_files
from bpelab.scale.measuring import compare_files, sweep_files
from bpelab.scale.reading import BadRecord
from bpelab.scale.table import Counts, load_counts

__all__ = ["BadRecord", "Counts", "compare_files", "count_files", "encode_files", "load_counts", "sweep_files"]
