"""`python -m withhold` is `withhold`."""

from withhold.cli import main

if __name__ == "__main__":
    main()
