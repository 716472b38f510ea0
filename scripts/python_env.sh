#!/usr/bin/env bash
# scripts/python_env.sh FOLDER [NAME]: a virtual environment with what python/requirements-NAME.txt lists; without a
# name it is "test", what the Python module is built and tested with. Made anew when it is not there, brought up to
# date when the list has changed; otherwise nothing is done.
set -euo pipefail

folder=${1:?usage: scripts/python_env.sh FOLDER [NAME]}
lists=$(dirname "$0")/../python
list=$lists/requirements-${2:-test}.txt
mark=$folder/installed.txt
wanted=$(cat $(sed -n "s|^-r |$lists/|p" "$list") "$list")  # and the lists that it begins with

if [ -e "$mark" ] && [ "$wanted" = "$(cat "$mark")" ] && "$folder/bin/python3" -c '' 2>/dev/null; then exit 0; fi
echo "python_env: installing what $(basename "$list") lists into $folder" >&2
"${PYTHON:-python3}" -m venv "$folder"
"$folder/bin/python3" -m pip install --quiet --disable-pip-version-check -r "$list"
echo "$wanted" > "$mark"
