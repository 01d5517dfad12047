"""Fields of an untrusted JSON document, each read with its type checked and its place named."""

from bpelab import checks


class Fields:
    """An object of a JSON document, and where it stands: what is asked for is there and of the right type.

    >>> Fields({"split": True}, "pre_tokenizer").get("split", bool)
    True
    """

    def __init__(self, value, where):
        if not isinstance(value, dict):
            raise ValueError(f"{where or 'the document'} must be an object, got {checks.shown(value)}")
        self.value, self.where = value, where

    def place(self, name):
        """The field's full name, such as model.unk_token."""
        return f"{self.where}.{name}" if self.where else name

    def get(self, name, kind, *default):
        """A field of a type (or a union of types); the default, if given, where it is missing or null."""
        value = self.value.get(name)
        if value is None and default:
            return default[0]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"{self.place(name)} is missing or of the wrong type: {checks.shown(value)}")
        if isinstance(value, str):
            checks.text(self.place(name), value)
        return value

    def part(self, name):
        """A field that is an object, as Fields; None where it is missing or null."""
        value = self.value.get(name)
        return None if value is None else Fields(value, self.place(name))

    def parts(self, name):
        """A field that is a list of objects, each as Fields."""
        return [Fields(value, f"{self.place(name)}[{i}]") for i, value in enumerate(self.get(name, list, []))]

    def choice(self, name, choices, *default):
        """A field that is one of some texts."""
        value = self.get(name, str, *default)
        if value not in choices:
            self.refuse(name, value)
        return value

    def refuse(self, name, value=None):
        """ValueError: this field asks for what can't be read."""
        shown = self.value.get(name) if value is None else value
        raise ValueError(f"{self.place(name)} is {checks.shown(shown)}, which can't be read here")

    def type(self, choices):
        """What the object's "type" says it is, which must be one of the keys of `choices`; its value there."""
        name = self.get("type", str)
        if name not in choices:
            self.refuse("type", name)
        return choices[name]
