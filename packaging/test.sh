#!/usr/bin/env bash
# Installs WattsWeights with its test tools and runs every test, offscreen. Arguments go to pytest.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
install_system $QT_LIBRARIES
prepare "[test]"
cd "$here"
export QT_QPA_PLATFORM=offscreen
exec "$venv/bin/python" -m pytest -n "${WATTSWEIGHTS_TEST_PROCESSES:-2}" --dist loadfile "$@"
