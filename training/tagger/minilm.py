"""The weights of all-MiniLM-L6-v2 (Apache-2.0) as an npz file, its matrices in 8 bits with a scale for each row.

python training/tagger/minilm.py model.safetensors -o minilm.npz
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    stored: dict[str, np.ndarray] = {}
    for name, value in load_file(given.model).items():
        if value.ndim == 2 and len(value) > 2 and value.dtype == np.float32:
            scale = np.abs(value).max(1, keepdims=True) / 127
            stored[f"{name}.scale"] = scale
            value = np.round(value / scale).astype(np.int8)
        stored[name] = value
    np.savez_compressed(given.output, **stored)


if __name__ == "__main__":
    main()
