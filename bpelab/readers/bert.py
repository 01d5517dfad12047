"""BERT's vocab.txt: a token a line, the line its id; with what BERT's own tokenizer does to a text before."""

from bpelab.readers.huggingface import HuggingFace

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def vocab_txt(lines, path, lowercase=None):
    """A reading of vocab.txt. lowercase: whether the model is an uncased one, which the file doesn't say."""
    tokens = [line.rstrip("\r") for line in lines]
    while tokens and not tokens[-1]:
        tokens.pop()
    if "[UNK]" not in tokens or len(set(tokens)) < len(tokens) or "" in tokens:
        raise ValueError(f"{path} is no vocab.txt of BERT: a token a line, each once, and [UNK] among them")
    if not isinstance(lowercase, bool):
        raise ValueError(
            f"{path}: a vocab.txt doesn't say whether it is for lower-cased text; give lowercase=True or False"
        )
    added = [
        {"id": tokens.index(name), "content": name, "special": True, "normalized": False}
        | dict.fromkeys(("single_word", "lstrip", "rstrip"), False)
        for name in SPECIAL
        if name in tokens
    ]
    return HuggingFace(
        {
            "added_tokens": sorted(added, key=lambda token: token["id"]),
            "normalizer": {
                "type": "BertNormalizer",
                "clean_text": True,
                "handle_chinese_chars": True,
                "strip_accents": None,
                "lowercase": lowercase,
            },
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {token: i for i, token in enumerate(tokens)}},
        }
    )
