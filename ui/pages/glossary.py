"""Words of the field, in both languages."""

from ui.glossary import show

show()
