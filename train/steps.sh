#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The step classifiers of docs/measured/reward.md, from recorded chains to the page; takes about an hour on one core.
#
#     sh train/steps.sh PROGRAM DATA FOLDER > docs/measured/reward.md
#
# PROGRAM: rederive; DATA: the folder of recorded data (../shared/data); FOLDER: for what is made on the way. A result that
# is there already is not made again.
set -eu
program=$1 data=$2 folder=$3
here=$(dirname "$(realpath "$0")")
export MALLOC_MMAP_THRESHOLD_=1000000000 MALLOC_TRIM_THRESHOLD_=4000000000 MALLOC_TOP_PAD_=100000000
tasks="word_sorting tracking_shuffled_objects logical_deduction multistep_arithmetic dyck_languages"
mathematics="gsm8k math parc mr-ben stepverify"
mkdir -p "$folder"

convert() { # NAME FILE...
    name=$1
    shift
    [ -s "$folder/$name.jsonl" ] || for file; do "$program" convert -q --to jsonl "$file"; done >"$folder/$name.jsonl"
}

# NAME STEPS OPTION... of steps.py
train() {
    name=$1 steps=$2
    shift 2
    [ -s "$folder/$name.json" ] && return
    python3 "$here/steps.py" "$here/../models/rederive.gguf" "$@" --steps "$steps" --batch 8 --ramp 10 --cut 512 --bf16 \
        --scores "$folder/$name.scores" --frozen-scores "$folder/$name.frozen" --out "$folder/$name.gguf" \
        >"$folder/$name.json.part" 2>"$folder/$name.log"
    mv "$folder/$name.json.part" "$folder/$name.json"
}

files() { # NAME...: as steps.py takes them
    for name; do echo "$name=$folder/$name.jsonl"; done
}

for task in $tasks; do
    convert "$task" "$data/big-bench-mistake/$task.jsonl"
    "$program" tasks -q -t "$task" -n 200 --mistakes 0.6 --seed 1 >"$folder/made-$task.jsonl"
done
for name in gsm8k math; do convert "$name" "$data/processbench/code/dataset/$name.jsonl"; done
convert parc "$data"/parc/datasets/*/*.jsonl
convert mr-ben "$data/mr-ben/data/math.jsonl.gz"
convert stepverify "$data/stepverify/dataset/dataset.jsonl.gz"

for task in $tasks; do
    train "rec-$task" 70 --every 10 --hold-out "$task" $(files $tasks)
    made=
    for other in $tasks; do
        [ "$other" = "$task" ] || made="$made --made $other=$folder/made-$other.jsonl"
    done
    train "made-$task" 70 --every 10 --hold-out "$task" $made -- $(files $tasks)
done
train all 70 --every 10 $(files $tasks)
train math 70 --every 35 $(files $mathematics)
python3 "$here/step_table.py" "$program" "$folder"
