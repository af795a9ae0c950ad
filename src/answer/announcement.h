/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Where a reply announces its answer in words, or says that it has none: rows of
 * rules/answers.rules. */
#include "language/rule.h"

/* An announcement: "the answer is ...", "Antwort: ...", "I don't know". */
typedef struct announcement {
    rdv_str span; /* what is announced, to the end of its line; the sentence that says there is none
                   */
    bool none;    /* there is no answer: "unknown", "cannot be determined" */
    bool free;    /* it is a sentence by itself, "I don't know", that announces nothing */
    bool opens;   /* it is a label, "Answer:", and nothing but marks stands before it in the text */
} announcement;

/* Going backwards from byte *before (at first text.len): the next announcement, of which *before
 * becomes the place. Where its line ends there, the span is the next line that is not blank (with
 * its display maths whole). The value of a member of JSON whose name ends in "answer" is without
 * its quotes. False when there is none in the last 64 KiB. */
bool announcement_before(rdv_str text, size_t *before, announcement *out);
/* Is the number at bytes `begin` to `end` only the name of a place: "see Table 3", "page 12"? */
bool announcement_refers(rdv_str text, size_t begin, size_t end);
/* Is the number there one that the text comes to: "it is 27", "thus 27"? */
bool announcement_concludes(rdv_str text, size_t begin, size_t end);
/* Is the number there only a part of what is said: "3 dogs and 2 cats"? */
bool announcement_parts(rdv_str text, size_t begin, size_t end);
/* Is the verb of the number there denied: "She does not need 24 eggs"? */
bool announcement_denies(rdv_str text, size_t begin, size_t end);
/* Does the text say that there is no answer, with such a sentence? */
bool announcement_of_none(rdv_str text);
/* Has the line nothing but marks of layout: "", ".", "$$", "\[", "_____"? */
bool answer_is_marks_alone(rdv_str line);
/* Without the wish that follows an answer in Minerva's prompt, "I hope it is correct." */
rdv_str answer_without_wish(rdv_str line);
/* Does a row of that effect say something of the reply? For the rows' examples. */
bool announcement_row_says(const rule *row, rdv_str reply);
/* The rows; NULL: out of memory. */
const rule_set *announcement_rows(void);
/* The first row about words beside a value that is found by the word at byte `i`, and where its cue
 * ends; NULL: there is none. effects: a bit for each, from EFFECT_TURNED on. */
const rule *announcement_row_at(rdv_str s, size_t i, unsigned effects, size_t *end);
/* Classes of words that readings of answers ask for: rows of rules/words.rules. */
#define ANSWER_CLASSES(X)                                                                          \
    X(CLASS_PROSE, {"@prose"})                                                                     \
    X(CLASS_NEARLY, {"@nearly"})                                                                   \
    X(CLASS_CONSTANT, {"@of-a-constant"})                                                          \
    X(CLASS_AUXILIARY, {"@auxiliary"})                                                             \
    X(CLASS_BEING, {"@being"})                                                                     \
    X(CLASS_PRONOUN, {"@pronoun"})                                                                 \
    X(CLASS_FUNCTION, {"@function-word"})                                                          \
    X(CLASS_ALLOWING, {"@allowing"})                                                               \
    X(CLASS_RELATIVE, {"@relative"})                                                               \
    X(CLASS_DOING, {"@doing"})                                                                     \
    X(CLASS_NAMING, {"@naming"})                                                                   \
    X(CLASS_WRITING, {"@writing"})                                                                 \
    X(CLASS_LABEL, {"@of-a-label"})                                                                \
    X(CLASS_LEADING, {"@leading"})                                                                 \
    X(CLASS_ASIDE, {"@of-an-aside"})                                                               \
    X(CLASS_PERSON, {"@of-a-person"})                                                              \
    X(CLASS_MODULUS, {"@modular"})                                                                 \
    X(CLASS_BEFORE_COINS, {"@before-coins"})                                                       \
    X(CLASS_PLACE, {"@place-in-list"})                                                             \
    X(CLASS_ORDER, {"@of-an-order"})                                                               \
    X(CLASS_BESIDE, {"@beside-a-part"})                                                            \
    X(CLASS_TURNING, {"@turning-a-part"})                                                          \
    X(CLASS_SENTENCE, {"@in-any-sentence"})                                                        \
    X(CLASS_REFUSED, {"@refused"})                                                                 \
    X(CLASS_OF_ANOTHER, {"@of-another"})                                                           \
    X(CLASS_LOW, {"@low-end"})                                                                     \
    X(CLASS_ARTICLE, {"@before-no-count"})                                                         \
    X(CLASS_SHIFTED, {"@shifting"})                                                                \
    X(CLASS_RESULT, {"@of-a-result"})                                                              \
    X(CLASS_CHANGING, {"@changing-words"})                                                         \
    X(CLASS_BREAKING, {"@breaking-off"})                                                           \
    X(CLASS_DENYING, {"@denying"})                                                                 \
    X(CLASS_FRACTIONS, {"@fractions"})                                                             \
    X(CLASS_BOUND, {"@bounding"})                                                                  \
    X(CLASS_LIMIT, {"@limiting"})                                                                  \
    X(CLASS_JOINING, {"@joining-numbers"})                                                         \
    X(CLASS_FORMULA_LEAD, {"@before-a-formula;comes to"})                                          \
    X(CLASS_NAME_LEAD, {"@before-a-name"})                                                         \
    X(CLASS_OTHER_LABEL, {"@label-of-another"})                                                    \
    X(CLASS_TURNING_VALUE, {"@turning-a-value"})                                                   \
    X(CLASS_GOING_DOWN, {"@going-down"})                                                           \
    X(CLASS_LEVEL, {"@level"})                                                                     \
    X(CLASS_GOING_UP, {"@going-up"})                                                               \
    X(CLASS_DOWN, {"@falling"})                                                                    \
    X(CLASS_UP, {"@rising"})                                                                       \
    X(CLASS_OF_CHANGE, {"@of-a-change"})                                                           \
    X(CLASS_TITLE, {"@before-a-title"})                                                            \
    X(CLASS_COUNTED, {"@how-many"})                                                                \
    X(CLASS_DAY_BESIDE, {"@another-day"})                                                          \
    X(CLASS_PASSED, {"@passed"})                                                                   \
    X(CLASS_OF_SENTENCE, {"@of-a-sentence"})                                                       \
    X(CLASS_SHORT, {"@short-of-prose"})                                                            \
    X(CLASS_OF_BOUND, {"@of-a-bound"})                                                             \
    X(CLASS_OF_CHOICE, {"@of-choices"})                                                            \
    X(CLASS_PREPOSITION, {"@preposition"})                                                         \
    X(CLASS_CHOOSING, {"@choosing"})                                                               \
    X(CLASS_OF_NUMBER, {"@of-a-number"})
#define ANSWER_CLASS(name, ...) name,
typedef enum answer_class { ANSWER_CLASSES(ANSWER_CLASS) N_ANSWER_CLASSES } answer_class;
bool answer_class_has(answer_class is, rdv_str word);
/* Is one of the words of the text of the class? */
bool answer_holds_class(rdv_str s, answer_class is);
/* Rows of the effect "class", of which a cue is two words. */
typedef enum answer_pair {
    PAIR_OPPOSITE,
    PAIR_OF_RESULT,
    PAIR_OF_VALUE,
    PAIR_SUPPOSING,
    N_ANSWER_PAIRS
} answer_pair;
/* Are they, in this order, the two words of a cue: "half", "of"? */
bool answer_pair_follows(answer_pair is, rdv_str a, rdv_str b);
/* Does the row count in dozens, scores and the like, and not in hundreds, thousands, lakh? Where
 * dozens are asked for, gold is their number. */
bool announcement_counts(const rule *row);
