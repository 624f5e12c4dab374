"""A small network that reads a text word by word: names and other telling words, and parts of speech.

`words` cuts a text into words, `features` turns them into numbers, `network` runs the model that comes with withhold.
The model is made by `training/tagger`; its card is in the documentation.
"""
