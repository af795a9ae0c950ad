#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Trains the built-in model from a seed: run.sh REDERIVE WORK OUT.gguf [THREADS]
# About two hours on two cores. Each part goes on from the one before; a part that is there already
# is not made again.
set -eu
rederive=$1
work=$2
out=$3
threads=${4:-2}
here=$(dirname "$0")
mkdir -p "$work"

# On processors whose AMX units PyTorch cannot use this keeps it from trying; elsewhere it costs little.
: "${ONEDNN_MAX_CPU_ISA:=AVX512_CORE_FP16}"
export ONEDNN_MAX_CPU_ISA

part() { # part NAME TOKENS DECAY [OPTION]...: train on to so many tokens, the last DECAY at a falling rate
    name=$1
    tokens=$2
    decay=$3
    shift 3
    if [ ! -e "$work/$name.done" ]; then
        python3 "$here/train.py" "$work/tokens.model" "$work/$name.pt" --threads "$threads" \
            --tokens "$tokens" --decay "$decay" "$@" >"$work/$name.log"
        touch "$work/$name.done"
    fi
}

[ -e "$work/traces.jsonl" ] || sh "$here/traces.sh" "$rederive" "$work/traces.jsonl"
if [ ! -e "$work/tokens.model" ]; then
    python3 "$here/tokenizer.py" "$work/words.model"
    python3 "$here/tokenizer.py" "$work/tokens.model" --extend "$work/words.model" "$work/traces.jsonl"
fi
long='"error-check-1shot": 0, "math": 0'
# To copy, to count, to spell; every token is learned.
part drills 3e6 0 --mixture "{$long, \"repeat\": 40, \"sums\": 60, \"spell\": 25}"
# The short prompts, with fewer and fewer drills; from here on only replies are learned.
part short 12e6 0 --resume "$work/drills.pt" --prompt-weight 0 \
    --mixture "{$long, \"repeat\": 1, \"sums\": 30, \"spell\": 12}"
# All prompts.
part all 34e6 8e6 --resume "$work/short.pt" --prompt-weight 0 --traces "$work/traces.jsonl" \
    --mixture '{"sums": 10, "spell": 8}'
python3 "$here/export.py" "$work/all.pt" "$work/tokens.model" "$out"
