/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and words of a step against those of the question and of the steps before it. */
#include "reward/measure.h"

#include <math.h>

static const char *const concluding[] = {"so", "thus", "hence", "therefore", NULL};

static bool is_new(const measuring *m, const token *t)
{
    return feature_set_last(&m->asked, t->hash) == FEATURE_SET_NEVER &&
           feature_set_last(&m->tokens, t->hash) == FEATURE_SET_NEVER;
}

static void measure_numbers(const measuring *m, const tokens *t, float *row)
{
    double n = 0, fresh = 0, asked = 0, decimals = 0, largest = 0, first_new = NAN;
    for (size_t i = 0; i < t->n; i++) {
        const token *x = &t->of[i];
        if (x->is != TOKEN_NUMBER)
            continue;
        bool is = is_new(m, x);
        first_new = n == 0 ? is : first_new;
        n++;
        fresh += is;
        asked += feature_set_last(&m->asked, x->hash) != FEATURE_SET_NEVER;
        decimals += x->decimal;
        largest = x->number > largest ? x->number : largest;
    }
    row[F_numbers] = (float)n;
    row[F_numbers_new] = (float)fresh;
    row[F_numbers_new_share] = share(fresh, n);
    row[F_numbers_asked_share] = share(asked, n);
    row[F_number_first_new] = (float)first_new;
    row[F_decimals] = (float)decimals;
    row[F_magnitude] = n > 0 ? (float)log10(largest + 1) : NAN;
}

static void measure_result(const measuring *m, const tokens *t, float *row)
{
    const token *result = NULL;
    for (size_t i = 0; i < m->before.n; i++)
        if (m->before.of[i].is == TOKEN_NUMBER)
            result = &m->before.of[i];
    row[F_result_used] = result ? 0 : NAN;
    for (size_t i = 0; result && i < t->n; i++)
        if (t->of[i].hash == result->hash)
            row[F_result_used] = 1;
}

/* `quoted_new` counts quotations of a word that is new. Letters alone are no words here. */
static void measure_words(const measuring *m, size_t step, const tokens *t, float *row)
{
    double n = 0, fresh = 0, asked = 0, before = 0, names = 0, quoted = 0, marks = 0, marks_old = 0;
    for (size_t i = 0; i < t->n; i++) {
        const token *x = &t->of[i];
        bool was = step && feature_set_last(&m->tokens, x->hash) == step - 1;
        marks += x->is == TOKEN_MARK;
        marks_old += x->is == TOKEN_MARK && was;
        if (x->is != TOKEN_WORD || x->text.len < 2)
            continue;
        bool is = is_new(m, x);
        n++;
        fresh += is;
        asked += feature_set_last(&m->asked, x->hash) != FEATURE_SET_NEVER;
        before += was;
        names += is && x->capital && !x->opens;
        quoted += is && x->quoted;
    }
    row[F_words_new] = (float)fresh;
    row[F_words_new_share] = share(fresh, n);
    row[F_words_asked_share] = share(asked, n);
    row[F_words_before_share] = step ? share(before, n) : NAN;
    row[F_names_new] = (float)names;
    row[F_quoted_new] = (float)quoted;
    row[F_marks_before_share] = step ? share(marks_old, marks) : NAN;
}

/* The question's sentence that the step is nearest to, and how far that is from the one before. */
static void measure_nearest(measuring *m, const tokens *t, float *row)
{
    double shared[64] = {0}, best = 0;
    int nearest = -1;
    for (size_t i = 0; i < t->n; i++) {
        size_t bits =
            t->of[i].is == TOKEN_WORD ? feature_set_last(&m->in_sentence, t->of[i].hash) : 0;
        for (bits = bits == FEATURE_SET_NEVER ? 0 : bits; bits; bits &= bits - 1)
            shared[__builtin_ctzll(bits)]++;
    }
    for (size_t i = 0; i < m->n_sentences && i < 64; i++) {
        double is = m->sentence_words[i] > 0 ? shared[i] / m->sentence_words[i] : 0;
        if (is > best) {
            best = is;
            nearest = (int)i;
        }
    }
    row[F_asked_overlap] = m->n_sentences ? (float)(best > 1 ? 1 : best) : NAN;
    row[F_asked_move] = nearest >= 0 && m->nearest >= 0 ? (float)(nearest - m->nearest) : NAN;
    if (nearest >= 0)
        m->nearest = nearest;
}

static void measure_conclusion(const measuring *m, const tokens *t, float *row)
{
    size_t from = t->n, answer = form_answer_at(t);
    double n = 0, fresh = 0, known = 0;
    for (size_t i = 0; i < t->n; i++)
        if (scan_is_word_of(&t->of[i], concluding))
            from = i + 1;
    for (size_t i = from; i < t->n; i++) {
        n += t->of[i].is != TOKEN_MARK;
        fresh += t->of[i].is != TOKEN_MARK && is_new(m, &t->of[i]);
    }
    row[F_concluded_new_share] = share(fresh, n);
    n = 0;
    for (size_t i = answer; i < t->n; i++) {
        n += t->of[i].is != TOKEN_MARK;
        known += t->of[i].is != TOKEN_MARK &&
                 feature_set_last(&m->tokens, t->of[i].hash) != FEATURE_SET_NEVER;
    }
    row[F_answer_known] = share(known, n);
}

void agreement_measure(measuring *m, size_t i, const tokens *t, float *row)
{
    measure_numbers(m, t, row);
    measure_result(m, t, row);
    measure_words(m, i, t, row);
    measure_nearest(m, t, row);
    measure_conclusion(m, t, row);
}
