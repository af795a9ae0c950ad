/* SPDX-License-Identifier: Apache-2.0 */
/* The options of general-purpose verification, besides those of combining, and of the search that
 * it points at. */
#include "options.h"
#include "settings.h"

#define AT(member) .offset = offsetof(struct settings, member)

const struct opt options_verifying[] = {
    {.name = "samples",
     .type = OPT_NATURAL,
     AT(samples),
     .argument = "K",
     .initial = "5",
     .least = 1,
     .most = 100,
     .help = "The number of samples of relevance, math, consistency, and methods of your own with "
             "`samples: option` for each step; the score is their mean"},
    {.name = "math",
     .type = OPT_CHOICE,
     AT(math),
     .argument = "BY",
     .choices = "model|native|both",
     .initial = "model",
     .help = "How math finds the calculations. model: a model lists them; native: Rederive finds "
             "them, without a model; both: a step holds if neither finds a wrong one"},
    {.name = "mathematical",
     .type = OPT_CHOICE,
     AT(mathematical),
     .argument = "WHEN",
     .choices = "auto|yes|no",
     .initial = "auto",
     .help = "Whether general includes math. auto: if the answer is a number or mathematics, or an "
             "option where all options are numbers"},
    {.name = "aggregate",
     .letter = 'a',
     .type = OPT_CHOICE,
     AT(aggregate),
     .argument = "HOW",
     .choices = "geometric|min|product|mean|last",
     .initial = "geometric",
     .help = "The aggregate of a verifier's step scores, which is its score of the chain"},
    {0},
};

const struct opt options_extent[] = {
    {.name = "first-steps",
     .type = OPT_NATURAL,
     AT(first_steps),
     .argument = "K",
     .least = 1,
     .most = 1000000,
     .help = "Check only the first K steps of each chain. Default: all"},
    {.name = "first-share",
     .type = OPT_NUMBER,
     AT(first_share),
     .argument = "X",
     .least = 0.000001,
     .most = 1,
     .help = "Check only the first share X of the steps of each chain, rounded up: 0.2 is the "
             "first fifth"},
    {0},
};

const struct opt options_online[] = {
    {.name = "beam-search",
     AT(beam_search),
     .help = "Generate solutions by beam search: each call draws one step, the prefixes are "
             "checked, and the best are continued. Replaces --chains, --generate and --stop"},
    {.name = "beam-width",
     .type = OPT_NATURAL,
     AT(beam_width),
     .argument = "B",
     .initial = "4",
     .least = 1,
     .most = 1000,
     .help = "The number of prefixes kept in each round, and of solutions at the end"},
    {.name = "expansions",
     .type = OPT_NATURAL,
     AT(expansions),
     .argument = "K",
     .initial = "4",
     .least = 1,
     .most = 1000,
     .help = "The number of next steps drawn for each prefix of the beam"},
    {.name = "generated-tokens",
     .type = OPT_NATURAL,
     AT(generated_tokens),
     .argument = "N",
     .least = 1,
     .most = 1e15,
     .help = "Stop drawing steps for a question once N tokens were generated for it. Default: no "
             "limit"},
    {0},
};
