/* SPDX-License-Identifier: Apache-2.0 */
#include "data/published.h"

#include "base/str.h"
#include "data/members.h"

/* "<<48/2=24>>": the notes of GSM8K's calculator. Anybody writes `question` and `answer`. */
static bool has_calculator_notes(const rdv_chain *chain)
{
    for (size_t i = 0; i < chain->n_steps; i++) {
        size_t at = rdv_find(chain->steps[i], RDV_STR("<<"), 0);
        if (at != RDV_NOT_FOUND && rdv_find(chain->steps[i], RDV_STR(">>"), at) != RDV_NOT_FOUND)
            return true;
    }
    return false;
}

/* Other sets also have a `problem` and its `solution`. */
static bool has_level(const rdv_chain *chain)
{
    rdv_str level;
    return rdv_chain_member(chain, RDV_STR("level"), &level) == RDV_OK;
}

/* Sets of the same form have four choices, or three. */
static bool has_five_options(const rdv_chain *chain)
{
    return chain->question.n_options == 5;
}

const char *published_dataset(const rdv_record *record)
{
    static const struct {
        const char *format;
        bool (*is)(const rdv_chain *chain); /* NULL: each of that form */
    } sets[] = {{"gsm8k", has_calculator_notes},
                {"math", has_level},
                {"mathqa", NULL},
                {"aqua", NULL},
                {"svamp", NULL},
                {"commonsenseqa", has_five_options},
                {"strategyqa", NULL}};
    for (size_t i = 0; record->format && i < sizeof sets / sizeof *sets; i++)
        if (strcmp(record->format, sets[i].format) == 0)
            return !sets[i].is || sets[i].is(&record->chain) ? sets[i].format : NULL;
    return NULL;
}
