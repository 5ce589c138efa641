"""python -m rlscan doctor [--json]"""

import sys

from rlscan import _doctor

if len(sys.argv) < 2 or sys.argv[1] != "doctor" or set(sys.argv[2:]) - {"--json"}:
    sys.exit("usage: python -m rlscan doctor [--json]")
sys.exit(_doctor.main(sys.argv[2:]))
