"""rlscan and its peers on the same inputs: what compare.py and report.py are made of."""
