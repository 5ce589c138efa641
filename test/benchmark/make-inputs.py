"""Random inputs for the benchmark: make-inputs.py ROWSxSTEPS OUT.npz"""

import sys

import numpy as np


def main(shape, path):
    rows, steps = (int(size) for size in shape.split("x"))
    rng = np.random.default_rng(0)

    def normal():
        return rng.standard_normal((rows, steps), dtype=np.float32)

    np.savez(
        path,
        reward=normal(),
        value=normal(),
        terminated=(rng.random((rows, steps)) < 0.02).astype(np.float32),
        target_logp=-np.abs(normal()),
        behavior_logp=-np.abs(normal()),
        last_value=rng.standard_normal(rows).astype(np.float32),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
