/* SPDX-License-Identifier: Apache-2.0 */
/* The options of grade. */
#include "options.h"
#include "settings.h"

static const struct opt grade_options[] = {
    OPTION_TEXT("answer", 0, grade.answer, "TEXT", NULL,
                "Grade this answer by --gold, and read no records; the exit status says whether it "
                "is right"),
    OPTION_TEXT("text", 0, grade.text, "TEXT", NULL,
                "The same for a whole reply, from which the answer is read"),
    OPTION_TEXTS("gold", 0, grade.golds, "TEXT",
                 "The gold answer of --answer or --text. May be given several times: any of them "
                 "is right"),
    OPTION_TEXT("kind", 'k', grade.kind, "KIND", "auto",
                "How answers are read and compared (docs/answers.md). auto: as the record's "
                "\"answer_type\" says, else by its options and its gold answer",
                .words = "auto|number|option|yesno|text|latex|date|date-day-first|time|money|"
                         "yesno-maybe|phrase"),
    OPTION_TEXT("tolerance", 0, grade.tolerance, "X", NULL,
                "Numbers are also right if they are within X of gold, or within X times gold, such "
                "as 1e-6. The record then says \"why\":\"tolerance\". Default: exact"),
    OPTION_FLAG("decimals-as-shown", 0, grade.as_shown,
                "A gold decimal stands for every number that rounds to it: 1/3 is right for 0.33. "
                "The record then says \"why\":\"shown\""),
    OPTION_FLAG(
        "relations-as-sets", 0, grade.relations,
        "A gold interval that may be a point, (1, 4), may be answered by an inequality with "
        "these solutions: 1 < x < 4. For other intervals, and the other way, that is always "
        "right"),
    OPTION_CHOICE(
        "require", 0, grade.require, "WHICH", "last|announced|boxed", "last",
        "What a reply must do for its answer to count. announced: say it, \"the answer is "
        "5\", \"#### 5\" or in a box; boxed: in a box or <answer>; last: nothing, the last "
        "value may be it. The record says which in \"answer_found\""),
    OPTION_CHOICE("answer-source", 0, answer_source, "WHICH", "given|read", "given",
                  "Which answer counts where a record has both. given: its own; read: the one read "
                  "from its text or its steps"),
    OPTION_TEXT("answer-from", 0, grade.answer_from, "PATH", NULL,
                "Where a record has the answer, such as pred, doc.answer or /choices/0/text"),
    OPTION_TEXT("text-from", 0, grade.text_from, "PATH", NULL,
                "Where a record has the whole reply, from which the answer is read"),
    OPTION_TEXT("answer-member", 0, grade.answer_member, "PATH", NULL,
                "The answer (or the reply) is or holds a JSON object, by itself or in a fence, and "
                "this member of it is graded: answer, result.value or /choices/0. Without it the "
                "answer is unread"),
    OPTION_TEXT("gold-member", 0, grade.gold_member, "PATH", NULL, "The same for the gold answer"),
    OPTION_THREADS(""),
    OPTION_NATURAL("jobs", 'j', threads, "N", NULL, 1, 256, "The old name of --threads"),
    OPTION_FLAG("fail-on-wrong", 0, fail_on_wrong, "Exit with 4 if an answer is wrong"),
    OPTION_FLAG("fail-on-unknown", 0, fail_on_unknown,
                "Exit with 5 if there is an answer of which it cannot be told"),
    OPTION_FLAG("json", 0, json, "Write the summary as JSON"),
    {0},
};

const struct opt_group grade_groups[] = {{"Grading", grade_options},
                                         {"Reading and writing", options_files},
                                         {"Output", options_telling},
                                         {0}};

const struct example grade_examples[] = {
    {"Grade a file of answers with their gold answers", "rederive grade pairs.jsonl"},
    {"Two answers: exit status 0, the same; 4, different; 5, cannot tell",
     "rederive grade --answer '1/2' --gold '0.5'"},
    {"Whole replies, of which the answers are read",
     "rederive grade --text-from completion --gold-from target replies.jsonl"},
    {"The answers of chains, read from their steps", "rederive grade --answer-source read "
                                                     "chains.jsonl -o graded.jsonl"},
    {"Answers that are JSON, by a member",
     "rederive grade --text-from completion --gold-from target --answer-member answer "
     "replies.jsonl"},
    {"Print those that are wrong, or cannot be decided, with the reason",
     "rederive grade -q pairs.jsonl | jq -c 'select(.correct != true) | [.answer, .gold, .why]'"},
    {"Accept rounding in a table, and write the accuracy as JSON",
     "rederive grade --tolerance 0.001 --json --answer-from prediction answers.csv -o /dev/null"},
    {0},
};
