/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Does the author assert an equality? Negated, hypothetical, quoted, reported, questioned or
 * retracted equalities are not assertions. */
#include <rederive/base.h>

struct cue_text;
struct rule_set;
struct rule;

/* The first rule, in the order of the files, that says why the equality from byte `begin` to `end`
 * is not asserted; NULL: it is asserted. rules: NULL: the built-in ones; a rule that a user added
 * says nothing here. */
const struct rule *assertion_not(const struct rule_set *rules, rdv_str text, size_t begin,
                                 size_t end);
/* The same of an equality of letters, which is not asserted either where the words around treat it
 * as an equation to be solved ("no x satisfies 2(x + 1) = 2x + 5"), or later words deny it. */
const struct rule *assertion_not_of_equation(const struct rule_set *rules, rdv_str text,
                                             size_t begin, size_t end);
/* The same of a value that words announce as the answer, by the built-in rules: it is denied,
 * supposed or another's; later: or taken back behind. What the author says or thinks himself, "I
 * think that the answer is 5", is asserted. */
const struct rule *assertion_not_of_answer(rdv_str text, size_t begin, size_t end, bool later);
/* Is a number that nothing announces supposed or another's, "if x were 5"; denied: or denied,
 * "nobody has 5"? One that counts things, "he wrote 5 pages", is not by the rows that say so. */
const struct rule *assertion_not_of_number(rdv_str text, size_t begin, size_t end, bool denied);
/* As assertion_not(), of the rules that a user added, which may take a verdict away and do nothing
 * else. */
const struct rule *assertion_excused(const struct rule_set *rules, rdv_str text, size_t begin,
                                     size_t end);
/* Does that rule of the set fire there? */
bool assertion_fires(const struct rule_set *rules, const struct rule *r, rdv_str text, size_t begin,
                     size_t end);

/* Is it a word of denial by itself, "never": one of the list @denial of the rules? */
bool assertion_denies(const struct rule_set *rules, rdv_str word);
/* The rule by which the words right before byte `begin` deny what follows, "it is not true that";
 * NULL: they do not. */
const struct rule *assertion_denied(const struct rule_set *rules, rdv_str text, size_t begin);

/* The rule by which the words right behind byte `end` take back what stands before, "is not true";
 * NULL: they do not. Of a claim that is known to be `right`, words that only doubt deny nothing. */
const struct rule *assertion_denied_behind(const struct rule_set *rules, rdv_str text, size_t end,
                                           bool right);

/* Do later words deny what ends at byte `end` ("which is false", "no solution")? */
bool assertion_refuted(const struct rule_set *rules, rdv_str text, size_t end);

/* Do the words say that its numbers are approximate; that its result is rounded up, or down? */
bool assertion_is_approximate(const struct rule_set *rules, rdv_str text, size_t begin, size_t end);
bool assertion_is_rounded(const struct rule_set *rules, rdv_str text, size_t begin, size_t end,
                          bool up);

/* Do the words before the number say it of something: "she has 13 left"? By the built-in rules: one
 * that is switched off would make a step support. */
bool assertion_states_number(rdv_str text, size_t begin, size_t end);
/* Is it compared, or listed, with the number before it: "7 < 9", "2 and 3"? */
bool assertion_relates_number(rdv_str text, size_t begin, size_t end);

/* The last words of a text by which the row `withdrawn` takes back what stands before them, "wait,
 * no": bytes *begin to *end. False: there are none. Linear. */
bool assertion_last_withdrawal(rdv_str text, size_t *begin, size_t *end);

/* A cue of a rule that takes a claim back: tokens `begin` to `end`. */
typedef struct assertion_cue {
    const struct rule *rule;
    size_t begin, end;
} assertion_cue;

/* The cues of the built-in rules with one of the effects, bits as of rule_effects() above that of
 * clauses, that stand in a sentence without a claim, whatever their places say: at most `most`. The
 * text's claim, end and next are its n. */
size_t assertion_cues(const struct cue_text *text, uint32_t effects, assertion_cue *out,
                      size_t most);
