#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Trains the built-in model from a seed: run.sh REDERIVE WORK OUT.gguf [PROCESSES]
# 80 minutes on two cores. Each part goes on from the one before; a part that is there already
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
# Then to count, to spell, to compare, to put in order.
part drills 4e6 --batch 1024 --only --resume "$work/copy.pt" --mixture \
    '{"repeat": 1, "sums": 2, "spell": 2, "same": 2, "order": 2, "swaps": 1, "join": 2}'
# The short prompts, with fewer drills.
part short 11.825e6 --resume "$work/drills.pt" \
    --mixture '{"error-check-1shot": 0, "math": 0,
    "repeat": 8, "sums": 20, "spell": 12, "same": 10, "order": 8, "swaps": 5, "join": 6}'
# All prompts, at a rate that falls to zero.
part long 16.183e6 --fall 12e6,42e6 --resume "$work/short.pt" --traces "$work/traces.jsonl" \
    --mixture '{"sums": 8, "spell": 5, "same": 3, "order": 3, "join": 3}'
lower='--rate 1.5e-3 --matrix-rate 3e-3'
fewer='"trace": 0.8, "zero-shot": 2.5, "direct-trace": 0.2, "direct-step": 0.3, "cot-step": 0.3'
drills='"sums": 5, "spell": 8, "same": 5, "order": 5, "join": 3'
mixture="{\"compare\": 18, $fewer, $drills}"
part lower 22.078e6 $lower --fall 16.5e6,40.5e6 --resume "$work/long.pt" \
    --traces "$work/traces.jsonl" --mixture "$mixture"
part all 39e6 $lower --fall 17e6,39e6 --resume "$work/lower.pt" \
    --traces "$work/traces.jsonl" --mixture "$mixture"
# More of what was hardest: to name an option by its letter, to put in order, to go through a chain.
hardest="{\"choose\": 15, \"generate\": 40, \"compare\": 16, \"global\": 10, $fewer, $drills}"
weights='{"logical_deduction": 5, "word_sorting": 4.5, "tracking_shuffled_objects": 3.5}'
part last 44e6 --rate 8e-4 --matrix-rate 1.6e-3 --fall 39e6,44e6 --resume "$work/all.pt" \
    --traces "$work/traces.jsonl" --mixture "$hardest" --tasks "$weights"
# To find the letter of an option is learned alone, as copying is, and then kept.
part letters 44.8e6 --batch 1024 --only --rate 1e-3 --matrix-rate 2e-3 --warmup 20 --resume "$work/last.pt" \
    --mixture '{"choose": 1}'
part end 49.6e6 --rate 1e-3 --matrix-rate 2e-3 --warmup 20 --fall 44.8e6,49.6e6 --resume "$work/letters.pt" \
    --traces "$work/traces.jsonl" --mixture "$hardest" --tasks "$weights"
python3 "$here/export.py" "$work/end.pt" "$work/tokens.model" "$out"
