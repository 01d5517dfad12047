"""Faults that people met in use, by the letters of the list they made: what each does now."""

import io
import json
import os
import pickle
import stat
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest

import bpelab
from bpelab.spelling import label

BOOK = Path(__file__).parent.parent
POSIX = pytest.mark.skipif(os.name == "nt", reason="pipes, devices and modes are POSIX")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sentencepiece(options=None, **settings):
    import sentencepiece

    model = io.BytesIO()
    trained = {"vocab_size": 25, "model_type": "bpe", "minloglevel": 2} | (options or {})
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["hello world cat dog"] * 50), model_writer=model, **trained
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue(), **settings)


def byte_tok(merges=0, corpus="ab ab", **options):
    return bpelab.train(corpus, merges, base="byte", chunking="gpt2", **options)


def test_a_settings_of_others_change_no_count():
    text = "cat cat dog " * 20
    hf = byte_tok(20, text).to_huggingface()
    want = len(hf.encode(text).ids)
    hf.enable_truncation(4)
    hf.enable_padding(length=32)
    hf.model.dropout = 0.5
    assert bpelab.compare({"hf": hf}, {"long": text, "none": ""})["tokens"].tolist() == [want, 0]
    assert len(bpelab.show.pieces(hf, text)[0]) == want
    assert hf.model.dropout == 0.5
    plain, ends = sentencepiece(), sentencepiece(add_bos=True, add_eos=True)
    drawn = sentencepiece(enable_sampling=True, alpha=0.5, nbest_size=-1)
    counts = bpelab.compare({"a": plain, "b": ends, "c": drawn}, {"t": "hello dog"})["tokens"]
    assert set(counts) == {len(plain.encode("hello dog"))}


def test_a_sentencepiece_is_shown():
    ends = sentencepiece(add_bos=True, add_eos=True)
    assert str(bpelab.show.tokens(ends, "hello dog")) == "|".join(sentencepiece().encode("hello dog", out_type=str))


def test_a_what_names_no_tokens_is_refused():
    class Lengths:
        def encode(self, text):
            return [len(text)]

    with pytest.raises(TypeError, match=r"names its tokens.*Lengths"):
        bpelab.show.tokens(Lengths(), "a")


def test_b_names_of_encodings():
    encoding = byte_tok(1, special_tokens=["<a>", "<b>"]).to_tiktoken("mine")
    assert encoding.name == "mine" and encoding.special_tokens_set == {"<a>", "<b>"}


def test_c_threads_share_a_tokenizer():
    tok, faults = bpelab.train("hello world " * 50, 20, base="byte", chunking=r"[a-z]+|[^a-z]"), []

    def work():
        try:
            for n in range(150):
                assert tok.decode(tok.encode(f"hello {n} world{n * 7} ")) == f"hello {n} world{n * 7} "
        except Exception as error:
            faults.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert faults == []


@pytest.mark.parametrize("chunking", ["gpt2", r"[a-z]+|[^a-z]", list])
def test_d_tokenizers_pickle(chunking):
    tok = bpelab.train("low low lower", 3, base="byte", chunking=chunking)
    copy = pickle.loads(pickle.dumps(tok))
    assert copy == tok and copy.encode("lower") == tok.encode("lower")


def test_g_what_a_file_of_hugging_face_forgets():
    import tokenizers

    tok = byte_tok(special_tokens=["<end>"])
    tok.to_huggingface().save("tokenizer.json")
    loaded = tokenizers.Tokenizer.from_file("tokenizer.json")
    assert loaded.encode("a<end>").ids != tok.encode("a<end>")
    loaded.encode_special_tokens = True
    assert loaded.encode("a<end>").ids == tok.encode("a<end>")
    remedy = "loaded.encode_special_tokens = True"
    assert remedy in tok.to_huggingface.__doc__ and remedy in (BOOK / "README.md").read_text(encoding="utf-8")


def test_j_tables_and_paths_are_no_text():
    import pandas as pd

    frame = pd.DataFrame({"text": ["a b"]})
    for call in (bpelab.train, bpelab.count_chunks, lambda table: bpelab.overlap(table, table)):
        with pytest.raises(TypeError, match="DataFrame"):
            call(frame)
    Path("my.txt").write_text("low low", encoding="utf-8")
    with pytest.raises(ValueError, match="is a file"):
        bpelab.train("my.txt")


@POSIX
def test_m_pipes_stay_pipes():
    os.mkfifo("pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text(encoding="utf-8")))
    reader.start()
    byte_tok().save("pipe")
    reader.join()
    assert json.loads(read[0])["format"] == "bpelab" and stat.S_ISFIFO(os.stat("pipe").st_mode)


def test_n_q_and_ab_exceptions_are_named():
    for text in ((BOOK / "README.md").read_text(encoding="utf-8"), Path(bpelab.ties.__file__).read_text("utf-8")):
        for word in ("158 characters", "～", "▁", r"\r\n", "white space", "`max_token_length` counts characters"):
            assert word in text


def test_s_lines_end_at_newlines():
    Path("en.txt").write_text("a\u2028b\x0cc\ninside.\n", encoding="utf-8")
    Path("ja.txt").write_text("一\n中。\n", encoding="utf-8")
    assert list(bpelab.corpora.pairs(("en.txt", "ja.txt"))) == [("a\u2028b\x0cc", "一"), ("inside.", "中。")]


def test_u_plots_under_any_style():
    import matplotlib.pyplot as plt

    frame = bpelab.sweep(bpelab.train("low low lower", 5), "low lower")
    with plt.style.context("dark_background"), warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=DeprecationWarning, module="matplotlib")  # an old one, of pyparsing
        picture = bpelab.plot.curves({"a": frame}, title="t")
        picture.save("a.png", dpi=50)
        bpelab.plot.curves({"a": frame[:1]}, title="t").save("b.svg")
    red, green, blue, *_ = plt.imread("a.png")[1, 1]
    assert min(red, green, blue) == 1
    with pytest.raises(ValueError, match="nothing to draw"):
        bpelab.plot.curves({}, title="t")


@pytest.mark.parametrize("path", sorted((BOOK / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_w_notebooks_become_scripts(path):
    language = json.loads(path.read_text(encoding="utf-8"))["metadata"]["language_info"]
    assert (language["file_extension"], language["nbconvert_exporter"]) == (".py", "python")


def test_x_an_interrupt_at_the_end_of_a_save_is_one(monkeypatch):
    replace = os.replace

    def interrupted(*names):
        replace(*names)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(os, "replace", interrupted)
        byte_tok().save("m.json")
    assert bpelab.load("m.json") == byte_tok() and os.listdir() == ["m.json"]


@POSIX
def test_x_modes_and_long_names():
    old = os.umask(0o077)
    try:
        byte_tok().save("m" * 250)
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat("m" * 250).st_mode) == 0o600


@POSIX
@pytest.mark.parametrize("path", ["pipe", "/dev/zero"])
def test_x_only_files_are_loaded(path):
    os.mkfifo("pipe")
    with pytest.raises(ValueError, match="no regular file"):
        bpelab.load(path)


def test_x_home_is_expanded(folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    byte_tok().save("~/m.json")
    assert os.listdir() == ["m.json"] and bpelab.load("~/m.json") == byte_tok()


@pytest.mark.parametrize("pattern", ["(?R)", "(?:(?:a{1000}){1000}){1000}", "|".join(map(str, range(200_000)))])
def test_y_patterns_without_end_are_refused(pattern):
    with pytest.raises(ValueError, match="pattern"):
        bpelab.chunk("a" * 40 + "c", pattern)


@POSIX
def test_ad_ids_far_away_take_no_memory():
    import resource

    tok, before = byte_tok(special_tokens={"<x>": 2**24 - 1}), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kept = [tok.truncate(0) for _ in range(10)]
    assert [tok.encode("a") for tok in kept] == [[97]] * 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10


@pytest.mark.parametrize("much", [2**31, 2**62, 2**64, 2**70])
def test_ae_numbers_too_large(much):
    tok = bpelab.train("aab ab")
    for options in ({"num_merges": much}, {"vocab_size": much}, {"num_merges": much, "max_token_length": much}):
        assert bpelab.train("aab ab", **options).merges == tok.merges
    assert bpelab.train("aab ab", min_frequency=much).merges == []
    with pytest.raises(ValueError, match="resamples must be at most"):
        bpelab.premium({"a": tok}, [("ab", "ab")], resamples=much)
    with pytest.raises(ValueError, match="width must be at most"):
        bpelab.sweep(tok, "ab", width=much)


@pytest.mark.parametrize("document", ["[]", "{}", "null", '{"model": {}}', '{"format": []}', "[" * 100_000])
def test_ae_other_json_is_a_value_error(document):
    Path("x.json").write_text(document, encoding="utf-8")
    for read in (bpelab.load, bpelab.parity.tokens_of):
        with pytest.raises(ValueError, match=r"x\.json is no valid"):
            read(Path("x.json"))


def test_af_two_spellings_of_one_token():
    with pytest.raises(ValueError, match="end_of_word"):
        bpelab.Tokenizer([], characters="ab_", end_of_word="_")
    with pytest.raises(ValueError, match="makes '</w>' again"):
        bpelab.Tokenizer([("<", "/"), ("</", "w"), ("</w", ">")], characters="</>w", end_of_word="</w>")


def test_ag_names_are_prepared_once():
    tok = byte_tok(special_tokens=[f"<s{n}>" for n in range(1000)])
    tok.encode("a", allowed_special="all")
    start = time.process_time()
    for _ in range(100):
        tok.encode("a", allowed_special="all")
    assert time.process_time() - start < 0.1  # 0.23 s when each call made its own pattern


@pytest.mark.parametrize("hostile", ["\x1b[31m", "\x9b", "\u202e", "\u2066", "\u200b", "a\ufe0f", "\U000e0041"])
def test_ah_nothing_hidden_reaches_a_screen(hostile):
    assert hostile not in label(hostile.encode())
    table = bpelab.show.table([{hostile: hostile}])
    assert hostile not in str(table) and hostile not in table._repr_html_()


def test_d_a_chunker_without_a_hash_is_refused():
    class Chunker:
        __hash__ = None

        def __call__(self, text):
            return list(text)

    for call in (bpelab.chunk, lambda text, chunker: bpelab.train(text, chunking=chunker), bpelab.count_chunks):
        with pytest.raises(TypeError, match="must be hashable, and Chunker is not"):
            call("a b", Chunker())


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_u_a_bar_has_a_length(value):
    with pytest.raises(ValueError, match=r"values\['a'\] is"):
        bpelab.plot.bars({"a": value}, title="t", xlabel="x")


def test_v_a_stepper_has_a_limit():
    tok = bpelab.train("international nation nations rational " * 3, base="byte", chunking="gpt2")
    assert len(bpelab.show.stepper(tok, ["international " * 2000])._repr_html_()) < 1_000_000
