#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The step classifiers of docs/measured/reward.md, from recorded chains to the page.
#
#     sh train/steps.sh PROGRAM DATA FOLDER [STEPS [CHAINS]] > docs/measured/reward.md
#
# PROGRAM: rederive; DATA: the folder of recorded data (../shared/data); FOLDER: for what is made on the way. A result that
# is there already is not made again. For a trial, STEPS is how many steps a training takes at most, and CHAINS how many
# chains of each file are used.
set -eu
if [ $# -lt 3 ]; then
    echo "usage: sh train/steps.sh PROGRAM DATA FOLDER [STEPS [CHAINS]]" >&2
    exit 2
fi
program=$(realpath "$1") data=$2 folder=$3 steps=${4-300} chains=${5-1000000}
here=$(dirname "$(realpath "$0")")
model=$here/../models/rederive.gguf
python3 -c 'import numpy, sentencepiece, sklearn, torch' # before anything is made: train/README.md says how to install them
export MALLOC_MMAP_THRESHOLD_=1000000000 MALLOC_TRIM_THRESHOLD_=4000000000 MALLOC_TOP_PAD_=100000000
tasks="word_sorting tracking_shuffled_objects logical_deduction multistep_arithmetic dyck_languages"
mathematics="gsm8k math parc mr-ben stepverify"
mkdir -p "$folder"

convert() { # NAME FILE...
    name=$1
    shift
    [ -s "$folder/$name.jsonl" ] && return
    for file; do
        [ -s "$file" ] || { echo "steps.sh: $file: no such file" >&2; exit 1; }
        "$program" convert -q --to jsonl "$file" | head -n "$chains"
    done >"$folder/part.jsonl"
    mv "$folder/part.jsonl" "$folder/$name.jsonl"
}

train() { # NAME OPTION... of steps.py
    name=$1
    shift
    [ -s "$folder/$name.json" ] && return
    echo "$(date +%T) $name" >&2
    python3 "$here/steps.py" "$model" "$@" --scores "$folder/$name.scores" --frozen-scores "$folder/$name.frozen" \
        --out "$folder/$name.gguf" >"$folder/$name.json.part" 2>"$folder/$name.log" || { cat "$folder/$name.log" >&2; exit 1; }
    mv "$folder/$name.json.part" "$folder/$name.json"
}

last_block() { # NAME OPTION...
    train "$@" --blocks 1 --states "$folder/states" --steps "$steps" --batch 16 --rate 5e-4 --every 20 --patience 100
}

whole_model() { # NAME OPTION...
    train "$@" --steps $((steps < 70 ? steps : 70)) --batch 8 --rate 3e-4 --ramp 10 --every 10 --cut 512 --bf16
}

files() { # NAME...: as steps.py takes them
    for name; do echo "$name=$folder/$name.jsonl"; done
}

for task in $tasks; do
    convert "$task" "$data/big-bench-mistake/$task.jsonl"
    [ -s "$folder/made-$task.jsonl" ] || "$program" tasks -q -t "$task" -n 200 --mistakes 0.6 --seed 1 | head -n "$chains" >"$folder/made-$task.jsonl"
done
for name in gsm8k math; do convert "$name" "$data/processbench/code/dataset/$name.jsonl"; done
convert parc "$data"/parc/datasets/*/*.jsonl
convert mr-ben "$data/mr-ben/data/math.jsonl.gz"
convert stepverify "$data/stepverify/dataset/dataset.jsonl.gz"

# shellcheck disable=SC2046,SC2086 # the lists are of words
for task in $tasks; do
    made=
    for other in $tasks; do
        [ "$other" = "$task" ] || made="$made --made $other=$folder/made-$other.jsonl"
    done
    last_block "rec-$task" --hold-out "$task" $(files $tasks)
    last_block "made-$task" --hold-out "$task" $made $(files $tasks)
    whole_model "whole-$task" --hold-out "$task" $(files $tasks)
done
# shellcheck disable=SC2046
last_block all $(files $tasks)
# shellcheck disable=SC2046
whole_model whole-all $(files $tasks)
# shellcheck disable=SC2046
whole_model whole-math $(files $mathematics)
[ -s "$folder/surprise.jsonl" ] || {
    # shellcheck disable=SC2046
    python3 "$here/step_surprise.py" "$model" "$folder/states" $(files $tasks) >"$folder/part.jsonl"
    mv "$folder/part.jsonl" "$folder/surprise.jsonl"
}
python3 "$here/step_table.py" "$program" "$folder"
