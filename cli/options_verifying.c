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
     .help = "How often relevance, math and consistency ask about a step; its score is the mean"},
    {.name = "math",
     .type = OPT_CHOICE,
     AT(math),
     .argument = "BY",
     .choices = "model|native|both",
     .initial = "model",
     .help = "Who finds the calculations for math. model: a model lists them; native: Rederive "
             "finds them, without a model; both: a step holds when neither finds a wrong one"},
    {.name = "mathematical",
     .type = OPT_CHOICE,
     AT(mathematical),
     .argument = "WHEN",
     .choices = "auto|yes|no",
     .initial = "auto",
     .help = "Whether math takes part in general. auto: where the answer is a number or "
             "mathematics, or one of options that are all numbers"},
    {.name = "aggregate",
     .letter = 'a',
     .type = OPT_CHOICE,
     AT(aggregate),
     .argument = "HOW",
     .choices = "geometric|min|product|mean|last",
     .initial = "geometric",
     .help = "How a verifier's scores of steps become its score of the chain"},
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
     .help = "Check only the first share X of the steps of each chain, rounded up: 0.2 is a fifth"},
    {0},
};

const struct opt options_online[] = {
    {.name = "beam-search",
     AT(beam_search),
     .help = "Write solutions by beam search: each call draws one step, the prefixes are checked, "
             "and the best are continued. Replaces --chains, --generate and --stop"},
    {.name = "beam-width",
     .type = OPT_NATURAL,
     AT(beam_width),
     .argument = "B",
     .initial = "4",
     .least = 1,
     .most = 1000,
     .help = "How many prefixes are kept in each round, and how many solutions at the end"},
    {.name = "expansions",
     .type = OPT_NATURAL,
     AT(expansions),
     .argument = "K",
     .initial = "4",
     .least = 1,
     .most = 1000,
     .help = "How many next steps are drawn for each prefix of the beam"},
    {.name = "generated-tokens",
     .type = OPT_NATURAL,
     AT(generated_tokens),
     .argument = "N",
     .least = 1,
     .most = 1e15,
     .help = "Draw no further steps for a question once so many tokens were generated for it. "
             "Default: no limit"},
    {0},
};
