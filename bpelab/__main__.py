"""The command line, for a reader's own files: bpelab COMMAND --help.

Exit codes: 0 done, 1 an error (one line on stderr), 2 wrong usage.
"""

import argparse
import contextlib
import glob
import json
import os
import sys
import tempfile
import webbrowser
from itertools import accumulate
from pathlib import Path

import platformdirs

import bpelab
from bpelab import alphabet, play, show, ties
from bpelab.spelling import label, visible

MODEL = "a tokenizer's file, or a vocabulary by its name: " + ", ".join(bpelab.vocabularies.SOURCES)
TEXT = "a text file; - is standard input"
EXAMPLES = {
    "train": "bpelab train my.txt -o my.json --vocab-size 8000 --base byte --chunking gpt2",
    "count": "bpelab count 'corpus/*.jsonl.gz' -o counts.npz --field text --workers 2",
    "encode": "echo 'low lower' | bpelab encode my.json",
    "decode": "echo '72 105' | bpelab decode my.json",
    "tokens": "bpelab tokens o200k_base my.txt",
    "sweep": "bpelab sweep my.json held-out.txt --plot curve.png --csv > curve.csv",
    "compare": "bpelab compare my.json gpt2 o200k_base --text en.txt --text ja.txt",
    "play": "bpelab play",
    "premium": "bpelab premium en.txt ja.txt --models gpt2 o200k_base",
}
PICTURES = (".png", ".svg", ".pdf")
#: Backgrounds of a terminal that tokens take in turn, with dark letters on them.
COLOURS = ("\x1b[30;48;5;153m", "\x1b[30;48;5;223m", "\x1b[30;48;5;157m", "\x1b[30;48;5;218m")
DIM, PLAIN = "\x1b[2m", "\x1b[0m"


# --- files ----------------------------------------------------------------------------------------


def spelled(name):
    """A file name as it can be printed anywhere: what is invisible or steers a terminal is escaped."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(visible(character) for character in text)


def read(path, encoding=None):
    """The text of a file; "-" is standard input."""
    if path == "-":
        return bpelab.corpora.decoded(sys.stdin.buffer.read(), "standard input", encoding)
    return bpelab.corpora.read(path, encoding=encoding)


def expanded(paths):
    """Paths with ~ and, where no such file is there, with * and ? filled in, as some shells leave them."""
    found = []
    for path in paths:
        path = os.path.expanduser(path)
        matches = [] if path == "-" or os.path.exists(path) else sorted(glob.glob(path))
        found += matches or [path]
    return found


def output(path, inputs, name="-o"):
    """A path to write to: "-", or a file that is none of the inputs, in a folder that is there."""
    if path == "-":
        return path
    if not path:
        raise ValueError(f"{name} must not be empty; name a file, or - for standard output")
    path = os.path.expanduser(path)
    for other in inputs:
        if os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other):
            raise ValueError(f"{name} {spelled(path)} is an input, and would be lost; name another file")
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"{name}: the folder {spelled(folder)} does not exist; make it first")
    return path


def write(text):
    """Text to standard output, as UTF-8 whatever the terminal's encoding."""
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def note(text):
    """A line for the reader that is no part of the output."""
    print(text.encode("ascii", "backslashreplace").decode() if not _utf8(sys.stderr) else text, file=sys.stderr)


def _utf8(stream):
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "") == "utf8"


def load(name):
    """A tokenizer's file, or a vocabulary by its name."""
    if name in bpelab.vocabularies.SOURCES:
        return bpelab.vocabularies.load(name)
    path = os.path.expanduser(name)
    if not os.path.exists(path):
        names = ", ".join(bpelab.vocabularies.SOURCES)
        raise FileNotFoundError(f"{spelled(name)} is no file here, nor a vocabulary; those are {names}")
    return bpelab.load(path)


def own(name):
    """A tokenizer of ours: a file, or a vocabulary whose merges are recovered."""
    return bpelab.vocabularies.tokenizer(name) if name in bpelab.vocabularies.SOURCES else load(name)


def report(frame, arguments):
    """A DataFrame as a table, or as the format asked for; a spreadsheet takes no cell of it for a formula."""
    if arguments.json:
        write(frame.to_json(orient="records", force_ascii=False, indent=1) + "\n")
    elif arguments.csv:
        for column in frame.select_dtypes(exclude="number"):
            frame[column] = [_cell(value) for value in frame[column]]
        write(frame.to_csv(index=False))
    else:
        write(f"{show.table(frame)}\n")


def _cell(value):
    if not isinstance(value, str):
        return value
    shown = "".join(visible(character) for character in value)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown


# --- commands -------------------------------------------------------------------------------------


def train(arguments):
    files = expanded(arguments.files)
    inputs = [path for path in (arguments.start, arguments.counts) if path]
    target = output(arguments.output, [*files, *inputs])
    if bool(files) == bool(arguments.counts):
        raise ValueError("give FILE or --counts, one of the two")
    counts = bpelab.scale.load_counts(arguments.counts) if arguments.counts else None
    start = own(arguments.start) if arguments.start else None
    chunking = counts.chunking if arguments.counts else arguments.chunking
    base = {} if start else {"base": arguments.base, "chunking": chunking}
    tok = bpelab.train(
        counts if arguments.counts else [read(path, arguments.encoding) for path in files],
        arguments.merges,
        vocab_size=arguments.vocab_size,
        **base,
        start=start,
        tie=arguments.tie,
        count=arguments.count,
        min_frequency=arguments.min_frequency,
        special_tokens=arguments.special,
        progress=not arguments.quiet,
    )
    if target == "-":
        with tempfile.TemporaryDirectory() as folder:
            tok.save(Path(folder, "model.json"))
            write(Path(folder, "model.json").read_text(encoding="utf-8"))
    else:
        tok.save(target)
    summary = f"{spelled(target)}: {len(tok.merges):,} merges, {tok.vocab_size:,} ids"
    if arguments.vocab_size and tok.vocab_size < arguments.vocab_size:
        summary += f"; no pair is left after {tok.vocab_size:,} entries"
    if arguments.merges and len(tok.merges) < arguments.merges + (len(start.merges) if start else 0):
        summary += f"; no pair is left after {len(tok.merges):,} merges"
    if arguments.min_frequency > 1 and "no pair" in summary:
        summary += f" that occurs {arguments.min_frequency:,} times"
    note(summary) if target == "-" else write(summary + "\n")


def count(arguments):
    files = expanded(arguments.files)
    target = output(arguments.output, files)
    with workers(arguments.workers) as client:
        counts = bpelab.scale.count_files(
            files,
            arguments.chunking,
            client=client,
            min_count=arguments.min_count,
            **of_files(arguments),
        )
    counts.save(target)
    write(f"{spelled(target)}: {len(counts):,} distinct chunks{_bad(counts.bad)}\n")


def of_files(arguments):
    """How files of any size are read: what `many` asks for, as `bpelab.scale` calls it."""
    names = ("field", "lines", "bad")
    return {name: getattr(arguments, name) for name in names} | {"progress": not arguments.quiet}


@contextlib.contextmanager
def workers(number):
    """A Dask client with so many processes on this machine; None for none."""
    if not number:
        yield None
        return
    from distributed import Client, LocalCluster

    options = {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": ":0", "silence_logs": 50}
    with LocalCluster(n_workers=number, **options) as cluster, Client(cluster) as client:
        yield client


def _bad(records):
    return f"; {len(records):,} bad records left out: {'; '.join(map(str, records[:3]))}" if records else ""


def encode_to(arguments):
    """`encode` with -o: files to shards of ids in a folder."""
    files = expanded([arguments.file, *arguments.more])
    with workers(arguments.workers) as client:
        manifest = bpelab.scale.encode_files(
            own(arguments.model),
            files,
            os.path.expanduser(arguments.output),
            client=client,
            **of_files(arguments),
        )
    done = f"{manifest['tokens']:,} tokens in {len(manifest['shards']):,} shards{_bad(manifest['bad'])}"
    write(f"{spelled(arguments.output)}: {done}\n")


def encode(arguments):
    if arguments.output:
        encode_to(arguments)
        return
    if arguments.more or arguments.workers:
        raise ValueError("several files, or --workers, need -o FOLDER to write the ids to")
    ids = own(arguments.model).encode(read(arguments.file, arguments.encoding))
    write((json.dumps(ids) if arguments.json else " ".join(map(str, ids))) + "\n")


def tokens(arguments):
    ids, pieces = show.pieces(load(arguments.model), read(arguments.file, arguments.encoding))
    if arguments.json:
        rows = [{"id": i, "token": label(piece)} for i, piece in zip(ids, pieces, strict=True)]
        write(json.dumps(rows, ensure_ascii=False) + "\n")
        return
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    for line in _lines(list(zip(ids, pieces, strict=True))):
        write(_coloured(line) if colour else f"{'|'.join(label(piece) for _, piece in line)}\n")
    write(f"{len(ids):,} tokens\n")


def _lines(rows):
    """(id, token) by lines of the text: a token that holds a line's end is the last of its line."""
    starts = accumulate((b"\n" in piece for _, piece in rows), initial=0)
    lines = {}
    for row, line in zip(rows, starts, strict=False):
        lines.setdefault(line, []).append(row)
    return lines.values()


def _coloured(line):
    """A line of tokens in colour, by their ids but never as the one before, and the ids below."""
    shown, last = "", None
    for i, piece in line:
        last = i % len(COLOURS) if i % len(COLOURS) != last else (i + 1) % len(COLOURS)
        shown += f"{COLOURS[last]}{label(piece)}{PLAIN}"
    return f"{shown}\n{DIM}{' '.join(str(i) for i, _ in line)}{PLAIN}\n"


def decode(arguments):
    source = read(arguments.file)
    try:
        ids = json.loads(source) if source.lstrip().startswith("[") else [int(word) for word in source.split()]
    except (ValueError, RecursionError):
        raise ValueError("ids must be whole numbers with white space between, or a JSON list") from None
    write(own(arguments.model).decode(ids))


def sweep(arguments):
    picture = arguments.plot and output(arguments.plot, [arguments.file], "--plot")
    if picture and not picture.lower().endswith(PICTURES):
        raise ValueError(f"--plot must end in {', '.join(PICTURES)}, got {spelled(picture)}")
    tok, text = own(arguments.model), read(arguments.file, arguments.encoding)
    frame = bpelab.sweep(tok, text, layers=arguments.layers, width=arguments.width, attention=arguments.attention)
    if picture:
        title = f"Vocabulary size against sequence length: {spelled(Path(arguments.file).name)}"
        bpelab.plot.curves({"tokens": frame}, title=title).save(picture)
    if not text:
        frame = frame.assign(chars_per_token=None, bytes_per_token=None)
    if not (arguments.json or arguments.csv):
        frame = frame[[(n & (n - 1)) == 0 or n == len(frame) - 1 for n in frame["merges"].tolist()]]
        frame = frame[["merges", "vocab_size", "tokens", "chars_per_token", "bytes_per_token"]]
    report(frame, arguments)


def compare(arguments):
    encoders = {spelled(name): load(name) for name in arguments.models}
    texts = {spelled(path): read(path, arguments.encoding) for path in expanded(arguments.text)}
    report(bpelab.compare(encoders, texts), arguments)


def premium(arguments):
    pairs = bpelab.corpora.pairs(tuple(arguments.files) if len(arguments.files) == 2 else arguments.files[0])
    encoders = {spelled(name): load(name) for name in arguments.models or bpelab.vocabularies.available()}
    report(bpelab.premium(encoders, pairs), arguments)


def play_page(arguments):
    """Write the play page and open it as soon as the two vocabularies that it begins with are there."""
    if arguments.output == "":
        raise ValueError("-o must not be empty; name a folder")
    folder = Path(arguments.output or platformdirs.user_cache_path("bpelab", appauthor=False) / "play").expanduser()
    installed = play.available()
    try:
        play.write(folder, installed[:2])
    except OSError as error:
        raise OSError(
            f"can't write into {spelled(str(folder))} ({error.strerror}); name another folder by -o"
        ) from None
    page = folder / "index.html"
    write(f"{page}\n")
    if not arguments.output and not webbrowser.open(page.resolve().as_uri()):
        note("bpelab play: no browser opens from here; open that page in one (it needs the files beside it)")
    if rest := installed[2:]:
        play.write(folder, rest)


# --- the words of the commands --------------------------------------------------------------------


def parser():
    """All commands and their options."""
    main = argparse.ArgumentParser(prog="bpelab", description="Byte-pair encoding on your own files.")
    main.add_argument("--version", action="version", version=f"bpelab {bpelab.__version__}")
    commands = main.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def many(sub):
        sub.add_argument("--field", default="text", help="of .jsonl, column of .parquet; default: text")
        sub.add_argument("--lines", action="store_true", help="each line of a .txt is a document")
        sub.add_argument("--bad", choices=("error", "list"), default="error", help="a bad record; default: error")
        sub.add_argument("--workers", type=int, default=0, metavar="N", help="processes (needs dask); default: none")
        sub.add_argument("--quiet", action="store_true", help="no progress bar on stderr")

    def command(run, summary, formats=("json",), encoding=True):
        name = run.__name__.removesuffix("_page")
        sub = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=f"example:\n  {EXAMPLES[name]}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(run=run, json=False, csv=False)
        either = sub.add_mutually_exclusive_group() if formats else None
        for kind in formats:
            either.add_argument(f"--{kind}", action="store_true", help=f"print {kind.upper()}")
        if encoding:
            sub.add_argument("--encoding", metavar="NAME", help="of the texts, such as cp932; default: UTF-8")
        return sub

    sub = command(train, "learn merges from text files and save a model", formats=())
    sub.add_argument("files", nargs="*", metavar="FILE", help="a document each; - is standard input")
    sub.add_argument("--counts", metavar="COUNTS", help="what `count` wrote, in place of files")
    sub.add_argument("-o", "--output", required=True, metavar="MODEL", help="the JSON file to write; - prints it")
    size = sub.add_mutually_exclusive_group(required=True)
    size.add_argument("--vocab-size", type=int, metavar="N", help="how many ids in all")
    size.add_argument("--merges", type=int, metavar="N", help="how many merges")
    sub.add_argument("--start", metavar="MODEL", help="go on from this tokenizer; its base and chunking are kept")
    sub.add_argument("--base", choices=alphabet.BASES, default="byte", help="default: byte")
    sub.add_argument("--chunking", default="gpt2", help="a name or a regular expression; default: gpt2")
    sub.add_argument("--tie", choices=ties.TIES, default="lexicographic", help="default: lexicographic")
    sub.add_argument("--count", choices=ties.COUNTS, default="overlap", help="default: overlap")
    sub.add_argument("--min-frequency", type=int, default=1, metavar="N", help="default: 1")
    sub.add_argument("--special", action="append", default=[], metavar="NAME", help="a special token; may be repeated")
    sub.add_argument("--quiet", action="store_true", help="no progress bar on stderr")
    for run, summary in ((encode, "text to ids"), (tokens, "text to readable tokens"), (decode, "ids to text")):
        sub = command(run, summary, formats=() if run is decode else ("json",), encoding=run is not decode)
        sub.add_argument("model", metavar="MODEL", help=MODEL)
        sub.add_argument("file", nargs="?", default="-", metavar="FILE", help="default: standard input")
        if run is encode:
            sub.add_argument("more", nargs="*", metavar="FILE", help="more files, with -o")
            sub.add_argument(
                "-o", "--output", metavar="FOLDER", help="write ids there, in shards; goes on where it was"
            )
            many(sub)
    sub = command(count, "count the chunks of files of any size, for `train --counts`", formats=(), encoding=False)
    sub.add_argument("files", nargs="+", metavar="FILE", help=".txt, .jsonl or .parquet, also .gz and .zst; * and ?")
    sub.add_argument("-o", "--output", required=True, metavar="COUNTS", help="the file to write")
    sub.add_argument("--chunking", default="gpt2", help="a name or a regular expression; default: gpt2")
    sub.add_argument("--min-count", type=int, default=1, metavar="N", help="drop rarer chunks; default: 1")
    many(sub)
    sub = command(sweep, "the length of a text at every vocabulary size", formats=("json", "csv"))
    sub.add_argument("model", metavar="MODEL", help=MODEL)
    sub.add_argument("file", metavar="FILE", help=TEXT)
    sub.add_argument("--plot", metavar="PICTURE", help=f"draw the curve into a file: {', '.join(PICTURES)}")
    sub.add_argument("--layers", type=int, default=12, help="of the model that reads the text; default: 12")
    sub.add_argument("--width", type=int, default=768, help="of that model; default: 768")
    sub.add_argument("--attention", choices=("causal", "full"), default="causal", help="default: causal")
    sub = command(compare, "tokens of some texts under some tokenizers", formats=("json", "csv"))
    sub.add_argument("models", nargs="+", metavar="MODEL", help=MODEL)
    sub.add_argument("--text", action="append", required=True, metavar="FILE", help="a text file; may be repeated")
    sub = command(premium, "tokens of a text over tokens of its translation", formats=("json", "csv"), encoding=False)
    sub.add_argument("files", nargs="+", metavar="FILE", help="two files, line by line; or one .tsv or .tmx file")
    sub.add_argument("--models", nargs="+", metavar="MODEL", help=f"default: all vocabularies installed; {MODEL}")
    sub = command(play_page, "tokens that merge before your eyes, in your browser", formats=(), encoding=False)
    sub.add_argument("-o", "--output", metavar="FOLDER", help="write the page there and open nothing; default: a cache")
    return main


def main(arguments=None):
    """Run a command; the exit code."""
    parsed = parser().parse_args(arguments)
    try:
        parsed.run(parsed)
    except BrokenPipeError:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    except (ValueError, TypeError, OSError, ImportError, MemoryError) as error:
        said = "".join(visible(character) for character in " ".join(str(error).split("\n")))
        note(f"bpelab {parsed.command}: {said or type(error).__name__}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
