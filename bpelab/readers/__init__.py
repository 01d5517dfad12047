"""Everyone else's tokenizer files. Each module reads one kind; `recognise` says which it is."""
