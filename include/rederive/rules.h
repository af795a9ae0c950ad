/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/rules.h - rules of language: what the words around a calculation say of it, and which
 * calculations are read in words, as rows of text with examples (docs/rules.md). "It is not true
 * that 3 * 4 = 13" denies it, and a calculation that its text denies, supposes or takes back is
 * never called wrong. "Half of 48 is 24" is read by the rule part.
 *
 * A set holds the built-in rules, and those that a user adds. An added rule may excuse, never
 * support: it makes a wrong calculation undecided, and does nothing else. */
#include <rederive/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A set of rules. Opaque. Any number of threads may use one that no thread changes. */
typedef struct rule_set rdv_rules;

typedef struct rdv_rule {
    rdv_str id;         /* "denied-that": its own in the set */
    rdv_str file;       /* "context.rules", or as rdv_rules_add() was told */
    size_t line;        /* of it, from 1 */
    rdv_str text;       /* the row as it is written, with its examples */
    const char *effect; /* "denied": what it says of a calculation; "read": it reads one in words;
                           "reply": it describes a sentence of a model's reply */
    const char *reason; /* one line, as in rdv_calc.note; NULL: the effect takes no verdict away */
    const rdv_str *fires,
        *silent; /* examples in which it fires, and in which it does not; with
                    effect "read" one that fires ends in " : right" or " : wrong 72" */
    size_t n_fires, n_silent;
    bool added; /* by rdv_rules_add() */
    bool off;   /* by rdv_rules_disable() */
} rdv_rule;

/* A set of the built-in rules, in `arena` and as long as it; NULL: out of memory. Without a set of
 * one's own the same rules hold. */
RDV_API rdv_rules *rdv_rules_new(rdv_arena *arena);

/* Add the rules of a file, which is called `file` in messages and records. Both texts are copied.
 * The set is unchanged on failure. Faults: RDV_E_NOMEM; RDV_E_INPUT, "FILE:LINE: ROW: what is
 * wrong", among it a name that stands in the set already, effects without a reason and
 * patterns, which could support, and a cue of more than 16 words or two gaps; RDV_E_LIMIT, the
 * same: a file of more than 1 MiB, a set of more than 4000 rules, 20 000 cues or a million words, a
 * list of more than 1000 words. */
RDV_API int rdv_rules_add(rdv_rules *rules, rdv_str file, rdv_str text, rdv_error *err);

/* Switch the rule of that id off: calculations that it excused are decided, and those that it read
 * are not read. RDV_E_INPUT: there is
 * none; the message names the nearest. */
RDV_API int rdv_rules_disable(rdv_rules *rules, rdv_str id, rdv_error *err);

/* The number of rules. */
RDV_API size_t rdv_rules_count(const rdv_rules *rules);
/* The i-th rule, i < rdv_rules_count(), in the order in which rules are tried: the built-in ones by
 * file and line, then the added ones. Its texts live as long as the set. */
RDV_API rdv_rule rdv_rules_at(const rdv_rules *rules, size_t i);

/* The rules by which the steps of a chain are read, to be said before the first step; NULL: the
 * built-in ones, which is the default. `rules` must live as long as the calculator, unchanged. */
RDV_API void rdv_calculator_set_rules(rdv_calculator *calculator, const rdv_rules *rules);

#ifdef __cplusplus
}
#endif
