/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What else the end of a reply may state, where nothing announces its answer. */
#include <rederive/answer.h>

/* A reply, and what was read of it. */
typedef struct conclusion {
    rdv_str text; /* borrowed */
    rdv_str read; /* as it stands in the text */
    rdv_answer_by by;
    rdv_str gold;
    const rdv_answer_form *form;
    const rdv_compare_options *how;
    bool unstated; /* conclusion_weigh() found that the reply does not state what was read */
    /* Given by conclusion_look(). */
    rdv_str question;
    rdv_str last;      /* the last sentence of the text */
    rdv_str concluded; /* the clause that it concludes with */
    bool relation;     /* is gold one, "x < 4"? */
} conclusion;

/* Find the last sentence and what else the functions below ask for again and again. Call it before
 * they are called, and after a change of the text. */
void conclusion_look(conclusion *c);
/* Weigh once more a comparison that is not *same*:
 * - a formula of which `read` is one number, or which it rounds, is the answer where that is gold;
 * - of what nothing announces, *different* needs that gold's value stands nowhere else in the last
 *   two sentences: else it cannot be told which value is meant.
 * - a text is also what the last sentence says that it is, "so the capital is Canberra".
 * *answer: the part of the text that decides, where it is another one. RDV_OK or a fault. */
int conclusion_weigh(conclusion *c, rdv_arena *arena, rdv_str *answer, rdv_comparison *out,
                     rdv_error *err);

/* Does it break off before a value, "96 divided by 3 equals"? */
bool conclusion_breaks_off(rdv_str text);
/* The text without what its last sentence only denies, or gives as a reason: "5" of "5, not 6" and
 * of "5 because 2 + 3 = 5", "5" of "5 of the 20 apples". All of it where there is no such end, or
 * where the end speaks of what the question asks for. */
rdv_str conclusion_main_clause(rdv_str text, rdv_str question);
/* Was it proved by the values, and not by the form of what was read? */
bool conclusion_is_proved(const rdv_comparison *c);
/* Is a part of the text said without a word that changes, denies or doubts it? */
bool conclusion_is_plain(const conclusion *c, rdv_str part);
/* Is gold what the last sentences state beside what was read? */
int conclusion_gold_beside(const conclusion *c, rdv_arena *arena, bool *is, rdv_error *err);
/* Does the reply conclude with something else than the question asks for, of which it speaks
 * right before: "Two are left, so ten are gone." */
bool conclusion_is_another(const conclusion *c, rdv_str clause);
/* A comparison of one of several values, of which nothing says which one is the answer. */
rdv_comparison conclusion_several(const rdv_comparison *c);
/* Does a word before the value of the last sentence turn it, which neither the question nor gold
 * has: "Twice the result is 8.", "If a were 2, it is 8.", "It is half of 8."? */
bool conclusion_is_turned(const conclusion *c, rdv_str value);
