/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises the task of a question by its form. */
#include "base/str.h"
#include "task/make.h"

#define LOOKED_AT ((size_t)16 << 10) /* bytes */

static bool says(rdv_str text, const char *what)
{
    return rdv_ifind(text, rdv_str_of(what), 0) != RDV_NOT_FOUND;
}

/* At least one of the first bytes, and nothing but these and blanks. */
static bool is_made_of(rdv_str text, const char *of, const char *also)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        if (c != '\0' && strchr(of, c))
            n++;
        else if (!rdv_is_space(c) && (c == '\0' || !strchr(also, c)))
            return false;
    }
    return n > 0;
}

static bool is_brackets(rdv_str text)
{
    return is_made_of(text, "()[]{}<>", "");
}

/* BIG-bench's lists stand without a question: small words, at least two. */
static bool is_word_list(rdv_str text)
{
    size_t blanks = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        blanks += c == ' ';
        if (!(c >= 'a' && c <= 'z') && (c == '\0' || !strchr(" '-&", c)))
            return false;
    }
    return blanks > 0;
}

static rdv_str behind_colon(rdv_str text)
{
    size_t colon = rdv_find_last(text, RDV_STR(":"));
    return rdv_trim(colon == RDV_NOT_FOUND ? text : rdv_slice(text, colon + 1, text.len));
}

const rdv_task *rdv_task_of(const rdv_question *question)
{
    rdv_str text = rdv_trim(rdv_slice(question->text, 0, LOOKED_AT));
    rdv_str list = behind_colon(text);
    if (is_brackets(list))
        return &task_dyck.task;
    if (is_made_of(list, "0123456789", "+-*/().=") && says(list, "("))
        return &task_arithmetic.task;
    if (says(text, "coin") && says(text, "heads up"))
        return &task_coin.task;
    if (says(text, "last letter"))
        return &task_letters.task;
    if (says(text, "statements") && says(text, "fixed order"))
        return &task_deduction.task;
    if (says(text, "At the end of") &&
        (says(text, " swap ") || says(text, " switch ") || says(text, " trade ")))
        return &task_shuffled.task;
    if ((says(text, "sort") && says(text, "alphabetical")) || is_word_list(text))
        return &task_sorting.task;
    return NULL;
}

/* ---- questions that are only a list ---------------------------------------------------------- */

/* Whether both have the same bytes, each as often, blanks aside. */
static bool same_letters(rdv_str a, rdv_str b)
{
    size_t n[256] = {0};
    for (size_t i = 0; i < a.len; i++)
        n[(unsigned char)a.p[i]]++;
    for (size_t i = 0; i < b.len; i++)
        n[(unsigned char)b.p[i]]--;
    for (size_t c = 0; c < sizeof n / sizeof *n; c++)
        if (n[c] != 0 && !rdv_is_space((char)c))
            return false;
    return true;
}

const rdv_task *rdv_task_left_out(const rdv_question *question)
{
    rdv_str text = rdv_trim(question->text), gold = rdv_trim(question->gold);
    if (!question->gold.p || question->n_options)
        return NULL;
    if (is_brackets(text))
        return !gold.len || is_made_of(gold, ")]}>", "") ? &task_dyck.task : NULL;
    return is_word_list(text) && same_letters(text, gold) ? &task_sorting.task : NULL;
}

rdv_str rdv_task_list(const rdv_question *question)
{
    const rdv_task *task = rdv_task_of(question);
    rdv_str list = behind_colon(question->text);
    bool bare = task == &task_dyck.task ? is_brackets(list)
                                        : task == &task_sorting.task && is_word_list(list);
    return bare ? list : question->text;
}
