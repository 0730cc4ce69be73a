"""`python -m boxwood` is the command line."""

import sys

from boxwood.cli import main

if __name__ == "__main__":
    sys.exit(main())
