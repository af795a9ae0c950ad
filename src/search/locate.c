/* SPDX-License-Identifier: Apache-2.0 */
/* Locators that need only the label: gold, random, simulated. */
#include "search/repair.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"
#include "score/eval.h"

#include <math.h>

/* ---- a data set's own locations -------------------------------------------------------------- */

int rdv_locations_add(rdv_locations *l, rdv_label label, rdv_arena *arena)
{
    if (label.kind == RDV_LABEL_NO_MISTAKE)
        l->none++;
    if (label.kind != RDV_LABEL_AT || label.step >= RDV_LOCATIONS_MAX)
        return RDV_OK;
    while (l->n <= label.step) {
        if (!RDV_PUSH_ROOM(arena, l->at, l->n, l->cap))
            return RDV_E_NOMEM;
        l->at[l->n++] = 0;
    }
    l->at[label.step]++;
    return RDV_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* A number in [0,1], or a percentage. */
static bool read_accuracy(rdv_str text, double *out)
{
    bool percent = rdv_ends(text, RDV_STR("%"));
    double value = 0, unit = 1;
    bool point = false, digits = false;
    if (percent)
        text.len--;
    if (text.len > 20)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (!rdv_is_digit(text.p[i]))
            return false;
        value = value * 10 + (text.p[i] - '0');
        unit *= point ? 10 : 1;
        digits = true;
    }
    value /= unit * (percent ? 100 : 1);
    *out = value;
    return digits && value <= 1;
}

int rdv_locator_named(rdv_str name, rdv_locator *out, rdv_error *err)
{
    rdv_str prefix = RDV_STR("simulated:");
    rdv_locator l = {.kind = RDV_LOCATE_METHOD};
    if (rdv_str_eq(name, RDV_STR("gold"))) {
        l.kind = RDV_LOCATE_GOLD;
    } else if (rdv_str_eq(name, RDV_STR("random"))) {
        l.kind = RDV_LOCATE_RANDOM;
    } else if (rdv_starts(name, prefix)) {
        l.kind = RDV_LOCATE_SIMULATED;
        if (!read_accuracy(rdv_slice(name, prefix.len, name.len), &l.accuracy))
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "%.*s: an accuracy from 0 to 1, or a percentage, stands behind "
                            "\"simulated:\"",
                            (int)(name.len < 60 ? name.len : 60), name.p);
    } else if (!(l.method = rdv_method_named(name))) {
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "%.*s: there is no such locator; there are gold, random, simulated:X and "
                        "the methods that 'rederive methods' lists",
                        (int)(name.len < 60 ? name.len : 60), name.p ? name.p : "");
    }
    *out = l;
    return RDV_OK;
}

bool rdv_locator_is_drawn(const rdv_locator *locator)
{
    return locator->kind != RDV_LOCATE_METHOD;
}

/* ---- locating -------------------------------------------------------------------------------- */

static rdv_label found_of(rdv_label label)
{
    if (label.kind == RDV_LABEL_UNKNOWN)
        return (rdv_label){.kind = RDV_LABEL_UNKNOWN};
    if (label.kind == RDV_LABEL_NO_MISTAKE)
        return (rdv_label){.kind = RDV_LABEL_NO_MISTAKE};
    return (rdv_label){.kind = RDV_LABEL_AT, .step = label.step};
}

/* Locations are numbered: first the steps, then "no mistake". */
static rdv_label found_at(const rdv_chain *chain, size_t location)
{
    if (location >= chain->n_steps)
        return (rdv_label){.kind = RDV_LABEL_NO_MISTAKE};
    return (rdv_label){.kind = RDV_LABEL_AT, .step = location};
}

static size_t weight_of(const rdv_locations *among, const rdv_chain *chain, size_t location)
{
    if (location == chain->n_steps)
        return among->none;
    return location < among->n ? among->at[location] : 0;
}

/* Draws a wrong location among this chain's steps that occur in `among`, and "no mistake". */
static rdv_label draw_wrong(const rdv_locator *l, const rdv_chain *chain, rdv_rng *rng)
{
    bool none = chain->label.kind == RDV_LABEL_NO_MISTAKE;
    size_t right = none ? chain->n_steps : chain->label.step, total = 0;
    for (size_t i = 0; i <= chain->n_steps; i++)
        total += i == right ? 0 : weight_of(l->among, chain, i);
    if (total == 0) { /* any wrong one: there is one, as a chain has "no mistake" and a step */
        size_t drawn = rdv_rng_below(rng, chain->n_steps);
        return found_at(chain, drawn + (drawn >= right));
    }
    size_t drawn = rdv_rng_below(rng, total);
    for (size_t i = 0;; i++) {
        size_t weight = i == right ? 0 : weight_of(l->among, chain, i);
        if (drawn < weight)
            return found_at(chain, i);
        drawn -= weight;
    }
}

int rdv_locate(const rdv_locator *l, const rdv_chain *chain, rdv_label *out, rdv_error *err)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, rdv_hash(chain->id.p ? chain->id : chain->question.text, l->seed));
    bool wrong;
    switch (l->kind) {
    case RDV_LOCATE_GOLD:
        *out = found_of(chain->label);
        return RDV_OK;
    case RDV_LOCATE_RANDOM:
        *out = found_at(chain, rdv_rng_below(&rng, chain->n_steps + 1));
        return RDV_OK;
    case RDV_LOCATE_SIMULATED:
        if (!(l->accuracy >= 0 && l->accuracy <= 1) || !l->among)
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "a simulated locator needs an accuracy and a data set's locations");
        wrong = rdv_rng_unit(&rng) >= l->accuracy;
        *out = wrong && chain->label.kind != RDV_LABEL_UNKNOWN && chain->n_steps
                   ? draw_wrong(l, chain, &rng)
                   : found_of(chain->label);
        return RDV_OK;
    case RDV_LOCATE_METHOD:
        break;
    }
    return rdv_fail(err, RDV_E_ARGUMENT, "a method locates by checking");
}
