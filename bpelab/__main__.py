"""The command line, for a reader's own files: python -m bpelab COMMAND --help.

Exit codes: 0 done, 1 an error (one line on stderr), 2 wrong usage.
"""

import argparse
import json
import sys
from pathlib import Path

import bpelab
from bpelab import alphabet, show, ties

MODEL = "a model that `train` wrote, or a production vocabulary: " + ", ".join(bpelab.vocabularies.SOURCES)
EXAMPLES = {
    "train": "python -m bpelab train my.txt -o my.json --vocab-size 8000 --base byte --chunking gpt2",
    "encode": "echo 'low lower' | python -m bpelab encode my.json",
    "decode": "echo '72 105' | python -m bpelab decode my.json",
    "tokens": "python -m bpelab tokens o200k_base my.txt",
    "sweep": "python -m bpelab sweep my.json held-out.txt --plot curve.png --csv > curve.csv",
    "compare": "python -m bpelab compare my.json gpt2 o200k_base --text en.txt --text ja.txt",
}


def read(path):
    """The text of a UTF-8 file; "-" is standard input."""
    if path == "-":
        return bpelab.corpora.decoded(sys.stdin.buffer.read(), "standard input")
    return bpelab.corpora.read(path)


def write(text):
    """Text to standard output, as UTF-8 whatever the terminal's encoding."""
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def load(name):
    """A model file, or a production vocabulary by its name."""
    return bpelab.vocabularies.load(name) if name in bpelab.vocabularies.SOURCES else bpelab.load(name)


def own(name):
    """A tokenizer of ours: a model file, or a production vocabulary whose merges are recovered."""
    tok = load(name)
    if isinstance(tok, bpelab.Tokenizer):
        return tok
    if not hasattr(tok, "_mergeable_ranks"):
        raise ValueError(f"model: {name!r} has no merge list that bpelab can read")
    return bpelab.from_tiktoken(tok)


def report(frame, arguments):
    """A DataFrame as a table, or as the format asked for."""
    if arguments.json:
        write(frame.to_json(orient="records", force_ascii=False, indent=1) + "\n")
    elif arguments.csv:
        write(frame.to_csv(index=False))
    else:
        write(f"{show.table(frame)}\n")


def train(arguments):
    corpus = [read(path) for path in arguments.files]
    tok = bpelab.train(
        corpus,
        arguments.merges,
        vocab_size=arguments.vocab_size,
        base=arguments.base,
        chunking=arguments.chunking,
        tie=arguments.tie,
        count=arguments.count,
        min_frequency=arguments.min_frequency,
        special_tokens=arguments.special,
        progress=not arguments.quiet,
    )
    tok.save(arguments.output)
    write(f"{arguments.output}: {len(tok.merges):,} merges, {tok.vocab_size:,} ids\n")


def encode(arguments):
    ids, _ = show.pieces(load(arguments.model), read(arguments.file))
    write((json.dumps(ids) if arguments.json else " ".join(map(str, ids))) + "\n")


def tokens(arguments):
    ids, pieces = show.pieces(load(arguments.model), read(arguments.file))
    labels = [show.label(piece) for piece in pieces]
    if arguments.json:
        write(json.dumps([{"id": i, "token": t} for i, t in zip(ids, labels, strict=True)], ensure_ascii=False) + "\n")
    else:
        write("|".join(labels) + f"\n{len(ids):,} tokens\n")


def decode(arguments):
    source = read(arguments.file)
    try:
        ids = json.loads(source) if source.lstrip().startswith("[") else [int(word) for word in source.split()]
    except ValueError:
        raise ValueError("ids must be whole numbers with white space between, or a JSON list") from None
    write(load(arguments.model).decode(ids))


def sweep(arguments):
    tok, text = own(arguments.model), read(arguments.file)
    frame = bpelab.sweep(tok, text, layers=arguments.layers, width=arguments.width)
    if arguments.plot:
        title = f"Vocabulary size against sequence length: {Path(arguments.file).name}"
        bpelab.plot.curves({"tokens": frame}, title=title).save(arguments.plot)
    if not (arguments.json or arguments.csv):
        frame = frame[[(n & (n - 1)) == 0 or n == len(frame) - 1 for n in frame["merges"].tolist()]]
        frame = frame[["merges", "vocab_size", "tokens", "chars_per_token", "bytes_per_token"]]
    report(frame, arguments)


def compare(arguments):
    encoders = {name: load(name) for name in arguments.models}
    report(bpelab.compare(encoders, {path: read(path) for path in arguments.text}), arguments)


def parser():
    """All commands and their options."""
    main = argparse.ArgumentParser(prog="python -m bpelab", description="Byte-pair encoding on your own files.")
    main.add_argument("--version", action="version", version=f"bpelab {bpelab.__version__}")
    commands = main.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(run, summary, formats=("json",)):
        name = run.__name__
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
        return sub

    sub = command(train, "learn merges from UTF-8 files and save a model", formats=())
    sub.add_argument("files", nargs="+", metavar="FILE", help="a document each; - is standard input")
    sub.add_argument("-o", "--output", required=True, metavar="MODEL", help="the JSON file to write")
    size = sub.add_mutually_exclusive_group(required=True)
    size.add_argument("--vocab-size", type=int, metavar="N", help="how many ids in all")
    size.add_argument("--merges", type=int, metavar="N", help="how many merges")
    sub.add_argument("--base", choices=alphabet.BASES, default="byte", help="default: byte")
    sub.add_argument("--chunking", default="gpt2", help="a name or a regular expression; default: gpt2")
    sub.add_argument("--tie", choices=ties.TIES, default="lexicographic", help="default: lexicographic")
    sub.add_argument("--count", choices=ties.COUNTS, default="overlap", help="default: overlap")
    sub.add_argument("--min-frequency", type=int, default=1, metavar="N", help="default: 1")
    sub.add_argument("--special", action="append", default=[], metavar="NAME", help="a special token; may be repeated")
    sub.add_argument("--quiet", action="store_true", help="no progress bar on stderr")
    for run, summary in ((encode, "text to ids"), (tokens, "text to readable tokens"), (decode, "ids to text")):
        sub = command(run, summary, formats=() if run is decode else ("json",))
        sub.add_argument("model", help=MODEL)
        sub.add_argument("file", nargs="?", default="-", metavar="FILE", help="default: standard input")
    sub = command(sweep, "the length of a text at every vocabulary size", formats=("json", "csv"))
    sub.add_argument("model", help=MODEL)
    sub.add_argument("file", metavar="FILE", help="a UTF-8 file; - is standard input")
    sub.add_argument("--plot", metavar="PICTURE", help="draw the curve into a .png, .svg or .pdf file")
    sub.add_argument("--layers", type=int, default=12, help="of the model that reads the text; default: 12")
    sub.add_argument("--width", type=int, default=768, help="of that model; default: 768")
    sub = command(compare, "tokens of some texts under some tokenizers", formats=("json", "csv"))
    sub.add_argument("models", nargs="+", metavar="MODEL", help=MODEL)
    sub.add_argument("--text", action="append", required=True, metavar="FILE", help="a UTF-8 file; may be repeated")
    return main


def main(arguments=None):
    """Run a command; the exit code."""
    parsed = parser().parse_args(arguments)
    try:
        parsed.run(parsed)
    except BrokenPipeError:
        sys.stderr.close()
    except KeyboardInterrupt:
        return 130
    except (ValueError, TypeError, OSError, ImportError) as error:
        print(f"bpelab {parsed.command}: {error}".replace("\n", " "), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
