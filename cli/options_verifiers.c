/* SPDX-License-Identifier: Apache-2.0 */
/* The options of general-purpose verification, except combining of scores, and of beam search. */
#include "options.h"
#include "settings.h"

const struct opt options_verifying[] = {
    OPTION_NATURAL("samples", 0, samples, "K", "5", 1, 100,
                   "The number of samples of relevance, math, consistency, and methods of your own "
                   "with `samples: option` for each step; the score is their mean"),
    OPTION_CHOICE("math", 0, math, "BY", "model|native|both", "model",
                  "How math finds the calculations. model: a model lists them; native: Rederive "
                  "finds them, without a model; both: a step holds if neither finds a wrong one"),
    OPTION_CHOICE("mathematical", 0, mathematical, "WHEN", "auto|yes|no", "auto",
                  "Whether general includes math. auto: if the answer is a number or mathematics, "
                  "or an option where all options are numbers"),
    OPTION_CHOICE("aggregate", 'a', aggregate, "HOW", "geometric|min|product|mean|last",
                  "geometric",
                  "The aggregate of a verifier's step scores, which is its score of the chain"),
    {0},
};

const struct opt options_numbers[] = {
    OPTION_CHOICE("decimal", 0, decimal, "SIGN", "found|point|comma", "found",
                  "The sign before decimals. comma: 4,50 is 4.5 and 1.250 is 1250; point: 4.50 is "
                  "4.5 and 1,250 is 1250; found: comma if amounts, percentages, measurements or "
                  "operands of the question and the steps are written so, else point"),
    {0},
};

const struct opt options_rules[] = {
    OPTION_FILE("rules-dir", 0, rules_dir, "DIR",
                "Add the rules of language of DIR: each NAME.rules under it holds rows that say "
                "when a calculation is not asserted (docs/rules.md). They make wrong calculations "
                "undecided, and nothing else"),
    OPTION_TEXTS("disable-rule", 0, disabled_rules, "ID",
                 "Switch a rule of language off; may be given several times. 'rederive rules' "
                 "lists them"),
    {0},
};

const struct opt options_recorded[] = {
    OPTION_TEXT("recorded-verifiers", 0, recorded_verifiers, "NAME[=WEIGHT],...", NULL,
                "Checks that the chains have already, by their methods, as further verifiers of "
                "general, of weight 1 or WEIGHT; with --verifiers none, they alone. What such a "
                "check left unknown, or lacks, is unread and never counts as support"),
    {0},
};

const struct opt options_extent[] = {
    OPTION_NATURAL("first-steps", 0, first_steps, "K", NULL, 1, 1000000,
                   "Check only the first K steps of each chain. Default: all"),
    OPTION_NUMBER("first-share", 0, first_share, "X", NULL, 0.000001, 1,
                  "Check only the first share X of the steps of each chain, rounded up: 0.2 is the "
                  "first fifth"),
    {0},
};

const struct opt options_online[] = {
    OPTION_FLAG("beam-search", 0, beam_search,
                "Generate solutions by beam search: each call draws one step, the prefixes are "
                "checked, and the best are continued. Replaces --chains, --generate and --stop"),
    OPTION_NATURAL("beam-width", 0, beam_width, "B", "4", 1, 1000,
                   "The number of prefixes kept in each round, and of solutions at the end"),
    OPTION_NATURAL("expansions", 0, expansions, "K", "4", 1, 1000,
                   "The number of next steps drawn for each prefix of the beam"),
    OPTION_NATURAL(
        "generated-tokens", 0, generated_tokens, "N", NULL, 1, 1e15,
        "Stop drawing steps for a question once N tokens were generated for it. Default: no limit"),
    {0},
};
