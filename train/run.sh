#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Trains the built-in model from a seed: run.sh REDERIVE WORK OUT.gguf [PROCESSES]
# 70 minutes on two cores. Each part goes on from the one before; a part that is there already
# is not made again.
set -eu
rederive=$1
work=$2
out=$3
processes=${4:-2}
here=$(dirname "$0")
mkdir -p "$work"

# bfloat16 where the processor computes in it. On one whose AMX units PyTorch cannot use, set
# ONEDNN_MAX_CPU_ISA=AVX512_CORE_FP16.
bf16=
if grep -q avx512_bf16 /proc/cpuinfo; then bf16=--bf16; fi

part() { # part NAME TOKENS [OPTION]...: train on to so many tokens
    name=$1
    tokens=$2
    shift 2
    if [ ! -e "$work/$name.done" ]; then
        python3 "$here/train.py" "$work/tokens.model" "$work/$name.pt" --processes "$processes" $bf16 \
            --tokens "$tokens" "$@" >"$work/$name.log"
        touch "$work/$name.done"
    fi
}

[ -e "$work/traces.jsonl" ] || sh "$here/traces.sh" "$rederive" "$work/traces.jsonl"
if [ ! -e "$work/tokens.model" ]; then
    python3 "$here/tokenizer.py" "$work/words.model"
    python3 "$here/tokenizer.py" "$work/tokens.model" --extend "$work/words.model" "$work/traces.jsonl"
fi
# First to copy, alone: within a million tokens the model learns to look a word up in its text, and
# all else rests on that. Among other examples it takes ten times as long.
part copy 1.5e6 --batch 1024 --only --mixture '{"repeat": 1}'
# Then to put in order, which it would not find among others either.
part order 3.5e6 --batch 1024 --only --resume "$work/copy.pt" --mixture '{"repeat": 0.2, "order": 1}'
# Then to count, to spell, to compare.
part drills 6e6 --batch 1024 --only --resume "$work/order.pt" --mixture \
    '{"sums": 3, "spell": 3, "same": 3, "order": 3, "sort": 2, "swaps": 1.5, "join": 2}'
# The short prompts, with fewer drills.
part short 12e6 --resume "$work/drills.pt" --matrix-rate 4e-3 \
    --mixture '{"error-check-1shot": 0, "math": 0,
    "sums": 20, "spell": 12, "same": 10, "order": 8, "sort": 12, "swaps": 6, "join": 6}'
# All prompts, at a rate that falls to zero in the end.
rest='"sums": 6, "spell": 6, "same": 5, "order": 3, "sort": 6, "swaps": 2, "join": 3'
part all 32e6 --rate 1.5e-3 --matrix-rate 3e-3 --fall 13e6,46e6 --resume "$work/short.pt" \
    --traces "$work/traces.jsonl" --mixture "{$rest}"
# More of the kinds that are behind by then.
behind='{"multistep_arithmetic": 3, "last_letters": 3, "coin_flip": 2, "dyck_languages": 2, "word_sorting": 3}'
part end 46e6 --rate 1.5e-3 --matrix-rate 3e-3 --fall 13e6,46e6 --resume "$work/all.pt" \
    --traces "$work/traces.jsonl" --mixture "{\"choose\": 5, $rest}" --tasks "$behind"
python3 "$here/export.py" "$work/end.pt" "$work/tokens.model" "$out"
