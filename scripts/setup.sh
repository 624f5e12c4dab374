#!/bin/sh
# Makes the virtual environment: finds a Python that is new enough, and says what is missing if there is none.
#   setup.sh FOLDER WHAT, where WHAT is the project with the extras that are wanted, as pip takes it
set -eu
venv=$1
what=$2

find_python() {
    for name in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        if command -v "$name" >/dev/null 2>&1 && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
            echo "$name"
            return
        fi
    done
    echo "withhold needs Python 3.11 or newer; install it, or name it: make PYTHON=/path/to/python3" >&2
    exit 1
}

python=$(find_python)
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -qq && apt-get install -y -qq python3-venv
    else
        echo "Python's venv module is missing; on Debian: sudo apt-get install python3-venv" >&2
        exit 1
    fi
fi
echo "setting up $venv with $("$python" --version); this takes a minute or two" >&2
"$python" -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check --editable "$what"
