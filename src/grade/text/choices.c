/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/choices.h"

#include "answer/announcement.h"
#include "base/str.h"
#include "language/phrase.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* What the words of a list of choices are. */
typedef struct choices {
    uint32_t letters; /* a bit for each, A to J */
    uint32_t roman;   /* a bit for each, I to X; "I" is among both */
} choices;

static const char *const roman[] = {"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"};

/* Adds the word; false: it names no choice, and does not join two. */
static bool take(choices *c, rdv_str word)
{
    for (size_t k = 0; k < COUNT(roman); k++)
        if (rdv_str_eq(word, rdv_str_of(roman[k]))) {
            c->roman |= 1u << k;
            if (word.len > 1 || word.p[0] > 'J')
                return true;
        }
    if (word.len == 1 && word.p[0] >= 'A' && word.p[0] <= 'J') {
        c->letters |= 1u << (word.p[0] - 'A');
        return true;
    }
    return answer_class_has(CLASS_OF_CHOICE, word);
}

/* The word that ends before byte *end, over marks, which is moved before it. */
static rdv_str word_before(rdv_str s, size_t *end)
{
    size_t i = *end;
    while (i > 0 && s.p[i - 1] && strchr(" ,.()[]&*$\n", s.p[i - 1]))
        i--;
    size_t stop = i;
    while (i > 0 && rdv_is_alpha(s.p[i - 1]))
        i--;
    *end = i;
    return rdv_slice(s, i, stop);
}

/* The choices at the end of `s`. *all: there is nothing else. */
static choices choices_at_end(rdv_str s, bool *all)
{
    choices c = {0};
    size_t end = s.len;
    for (rdv_str word; (word = word_before(s, &end)).len;)
        if (!take(&c, word)) {
            end = end ? end : 1; /* the first word is none */
            break;
        }
    *all = end == 0;
    return c;
}

static unsigned count(uint32_t bits)
{
    return (unsigned)__builtin_popcount(bits);
}

/* "Both A and C are right." without its end, where the question asks for what is right; else all of
 * it. */
static rdv_str without_right(rdv_str s, rdv_str question)
{
    static phrase_list wrong = {"@rules-out;except;*n't"};
    static const char *const right[] = {"right", "correct", "true"}, *const verbs[] = {"is", "are"};
    size_t end = s.len;
    bool is = rdv_is_one_of(word_before(s, &end), right, COUNT(right));
    size_t both = end; /* "are both true" */
    end = rdv_str_ieq(word_before(s, &both), RDV_STR("both")) ? both : end;
    is = is && rdv_is_one_of(word_before(s, &end), verbs, COUNT(verbs));
    return is && !phrase_in(question, &wrong) ? rdv_slice(s, 0, end) : s;
}

bool choices_compare(rdv_str answer, rdv_str gold, rdv_str question, bool *same)
{
    bool all, whole;
    rdv_str said = without_right(answer, question);
    choices g = choices_at_end(rdv_trim(gold), &all), a = choices_at_end(said, &whole);
    if (said.len < answer.len && !whole)
        return false; /* "It is not true that A and C are right." */
    bool statements = g.roman && (g.letters & ~(1u << ('I' - 'A'))) == 0;
    if (!all || (statements ? !a.roman : count(g.letters) < 2 || !a.letters))
        return false;
    *same = statements ? a.roman == g.roman : a.letters == g.letters;
    return true;
}
