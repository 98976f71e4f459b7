"""The page "Proofs": what is checked of every picture, and how far it is off."""
