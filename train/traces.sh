#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The traces that the second part of the training reads: traces.sh REDERIVE OUT.jsonl
set -eu
rederive=$1
out=$2
: >"$out"
while read -r task least most; do
    for kind in --traces "--mistakes 1"; do
        # shellcheck disable=SC2086 # --mistakes and its value are two words
        "$rederive" tasks -q -t "$task" -n 4000 --seed 41 --min-size "$least" --max-size "$most" $kind >>"$out"
    done
done <<END
word_sorting 4 7
tracking_shuffled_objects 3 4
logical_deduction 3 4
multistep_arithmetic 2 3
dyck_languages 3 10
coin_flip 2 5
last_letters 2 4
END
