#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command `rederive` of the Python package: it starts the program of its own version below the folder that both
# were installed into, without starting Python (docs/adr/0081).
self=$0
case $self in */*) ;; *) self=./$self ;; esac
if [ -L "$self" ]; then # uv and pipx link to it
    self=$(readlink -f "$self")
fi
bin=${self%/*}
# As pip and uv name what they install into; the last one is that of `pip install --target`.
for site in "$bin"/../lib/python3*/site-packages "$bin"/../lib64/python3*/site-packages \
    "$bin"/../lib/python3*/dist-packages "$bin"/..; do
    if [ -d "$site/rederive_llm-@VERSION@.dist-info" ] && [ -x "$site/rederive_llm/rederive" ]; then
        exec "$site/rederive_llm/rederive" "$@"
    fi
done
if [ -x "$bin/python3" ]; then # it may know another folder
    exec "$bin/python3" -P -m rederive_llm "$@"
fi
echo "rederive: rederive_llm @VERSION@ is not installed below $bin/..; repair it: pip install --force-reinstall --no-deps rederive-llm" >&2
exit 3
