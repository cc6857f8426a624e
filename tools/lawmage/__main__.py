"""`python -m lawmage`."""

from lawmage.cli import main

main()
