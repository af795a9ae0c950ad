/* SPDX-License-Identifier: Apache-2.0 */
/* What a step looks like: lengths, characters, turns of phrase, repetition. */
#include "language/word_class.h"
#include "reward/measure.h"

#include <math.h>

static const char *const concluding[] = {"so", "thus", "hence", "therefore", "then", NULL};
static const char *const reasoning[] = {"because", "since", "as", "given", NULL};
static const char *const turning[] = {"wait",     "but",     "however", "actually",
                                      "although", "instead", NULL};
static const char *const hedging[] = {"about",         "suppose", "assume",   "assuming",
                                      "approximately", "likely",  "probably", "might",
                                      "may",           "seems",   "could",    NULL};
static const char *const generalising[] = {"all",  "any",  "every", "always",
                                           "only", "each", "must",  NULL};
static const char *const planning[] = {"need", "first", "let",    "let's",
                                       "will", "want",  "should", NULL};

static float negates(const tokens *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->of[i].is == TOKEN_WORD && (word_find(t->of[i].text) & WORD_NEGATES))
            return 1;
    return 0;
}

size_t form_answer_at(const tokens *t)
{
    for (size_t i = 0; i < t->n; i++) {
        if (is_word(&t->of[i], "boxed"))
            return i + 1;
        if (is_word(&t->of[i], "answer") && i + 1 < t->n &&
            (is_word(&t->of[i + 1], "is") || is_mark(&t->of[i + 1], ':')))
            return i + 2;
    }
    return t->n;
}

static float any_of(const tokens *t, const char *const *list)
{
    for (size_t i = 0; i < t->n; i++)
        if (scan_is_word_of(&t->of[i], list))
            return 1;
    return 0;
}

static void measure_characters(rdv_str s, float *row)
{
    double digits = 0, letters = 0, capitals = 0, marks = 0, lines = 1;
    double backslashes = 0, powers = 0;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        digits += rdv_is_digit(c);
        letters += rdv_is_alpha(c);
        capitals += c >= 'A' && c <= 'Z';
        marks += c > ' ' && c < 127 && !rdv_is_alnum(c);
        lines += c == '\n';
        backslashes += c == '\\';
        powers += c == '^';
    }
    row[F_lines] = (float)lines;
    row[F_digits_share] = share(digits, (double)s.len);
    row[F_letters_share] = share(letters, (double)s.len);
    row[F_capitals_share] = share(capitals, letters);
    row[F_marks_share] = share(marks, (double)s.len);
    row[F_backslashes] = (float)backslashes;
    row[F_powers] = (float)powers;
}

static void measure_marks(const tokens *t, float *row)
{
    double equals = 0, fractions = 0, order = 0, alone = 0, sentences = 0, run = 0, longest = 0;
    for (size_t i = 0; i < t->n; i++) {
        const token *x = &t->of[i];
        equals += is_mark(x, '=');
        run += is_mark(x, '=');
        longest = run > longest ? run : longest;
        run = x->opens ? 0 : run;
        fractions += is_mark(x, '/') || is_word(x, "frac") || is_word(x, "dfrac");
        order += is_mark(x, '<') || is_mark(x, '>') || is_word(x, "leq") || is_word(x, "geq");
        alone += x->is == TOKEN_WORD && x->text.len == 1 && !is_word(x, "a") && !is_word(x, "i");
        sentences += x->opens;
    }
    row[F_equals] = (float)equals;
    row[F_equals_chain] = (float)longest;
    row[F_fractions] = (float)fractions;
    row[F_inequalities] = (float)order;
    row[F_letters_alone] = (float)alone;
    row[F_sentences] = (float)sentences;
}

static void measure_phrases(const tokens *t, float *row)
{
    row[F_concludes] = any_of(t, concluding);
    row[F_reasons] = any_of(t, reasoning);
    row[F_turns] = any_of(t, turning);
    row[F_hedges] = any_of(t, hedging);
    row[F_negates] = negates(t);
    row[F_generalises] = any_of(t, generalising);
    row[F_plans] = any_of(t, planning);
    row[F_answers] = form_answer_at(t) < t->n;
    row[F_asks] = 0;
    for (size_t i = 0; i < t->n; i++)
        if (is_mark(&t->of[i], '?'))
            row[F_asks] = 1;
}

static void measure_repetition(const measuring *m, size_t i, const tokens *t, float *row)
{
    double n = 0, before = 0, earlier = 0, asked = 0;
    for (size_t k = 0; k + 2 < t->n; k++, n++) {
        uint64_t gram = gram_at(t, k);
        size_t when = feature_set_last(&m->grams, gram);
        earlier += when != FEATURE_SET_NEVER;
        before += i && when == i - 1;
        asked += feature_set_last(&m->asked_grams, gram) != FEATURE_SET_NEVER;
    }
    row[F_trigrams_before] = i ? share(before, n) : NAN;
    row[F_trigrams_earlier] = i ? share(earlier, n) : NAN;
    row[F_trigrams_asked] = share(asked, n);
}

void form_measure(const measuring *m, size_t i, const tokens *t, float *row)
{
    measure_characters(m->chain->steps[i], row);
    measure_marks(t, row);
    measure_phrases(t, row);
    measure_repetition(m, i, t, row);
    row[F_tokens] = (float)t->n;
    row[F_tokens_by_before] = i ? (float)log((double)(t->n + 1) / (double)(m->before.n + 1)) : NAN;
    row[F_tokens_by_mean] =
        i ? (float)log((double)(t->n + 1) / (m->tokens_sum / (double)i + 1)) : NAN;
    row[F_asked_tokens] = (float)m->question.n;
    double numbers = 0;
    for (size_t k = 0; k < m->question.n; k++)
        numbers += m->question.of[k].is == TOKEN_NUMBER;
    row[F_asked_numbers] = (float)numbers;
}
