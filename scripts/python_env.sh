#!/usr/bin/env bash
# scripts/python_env.sh FOLDER: a virtual environment with what the Python module is built and tested with. Made anew
# when it is not there, brought up to date when python/requirements-test.txt has changed; otherwise nothing is done.
set -euo pipefail

folder=${1:?usage: scripts/python_env.sh FOLDER}
requirements=$(dirname "$0")/../python/requirements-test.txt
mark=$folder/installed.txt

if cmp -s "$requirements" "$mark" && "$folder/bin/python3" -c '' 2>/dev/null; then exit 0; fi
echo "python_env: installing numpy, scikit-learn and what else the Python tests need into $folder" >&2
"${PYTHON:-python3}" -m venv "$folder"
"$folder/bin/python3" -m pip install --quiet --disable-pip-version-check -r "$requirements"
cp "$requirements" "$mark"
