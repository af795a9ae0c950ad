/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/restated.h"

#include "answer/announcement.h"
#include "base/str.h"
#include "language/assertion.h"
#include "language/cue.h"
#include "language/rule.h"

#define TOKENS_MOST 48
#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct words {
    rdv_str at[TOKENS_MOST];
    size_t n;
    bool more; /* than there is room for */
} words;

static words words_of(rdv_str s)
{
    words w = {0};
    cue_token token;
    for (size_t i = 0; cue_next_token(s, &i, &token);) {
        if (w.n == TOKENS_MOST) {
            w.more = true;
            break;
        }
        if (rdv_is_alnum(token.text.p[0]) || (token.text.p[0] & 0x80))
            w.at[w.n++] = token.text;
    }
    return w;
}

/* Without the sign of the plural, or of the third person. */
static bool is_same(rdv_str a, rdv_str b)
{
    rdv_str longer = a.len > b.len ? a : b, other = a.len > b.len ? b : a;
    return rdv_str_ieq(a, b) ||
           (other.len > 2 && longer.len == other.len + 1 && rdv_lower(longer.p[other.len]) == 's' &&
            rdv_str_ieq(rdv_slice(longer, 0, other.len), other));
}

static bool holds(const words *w, rdv_str word)
{
    for (size_t i = 0; i < w->n; i++)
        if (is_same(w->at[i], word))
            return true;
    return false;
}

/* A word that is in any sentence. */
static bool is_plain(rdv_str word)
{
    size_t end;
    return answer_class_has(CLASS_SENTENCE, word) ||
           announcement_row_at(word, 0, 1u << EFFECT_PLAIN, &end);
}

static bool is_refused(rdv_str word)
{
    return answer_class_has(CLASS_REFUSED, word);
}

bool restated_denies(rdv_str s)
{
    words w = words_of(s);
    bool is = w.more;
    for (size_t i = 0; i < w.n; i++)
        is = is || is_refused(w.at[i]) || rdv_str_ieq(w.at[i], RDV_STR("than"));
    return is;
}

bool restated_doubts(rdv_str s)
{
    static const char *const others[] = {"nor", "if", "unless", "fails", "fail", "wrong"};
    cue_token token;
    for (size_t i = 0; cue_next_token(s, &i, &token);)
        if (assertion_denies(NULL, token.text) || rdv_is_one_of(token.text, others, COUNT(others)))
            return true;
    return false;
}

/* Is the point at byte `i` that of an initial or title: "C. F. Gauss", "Mr. Novak"? */
static bool ends_shortened(rdv_str s, size_t i)
{
    static const char *const titles[] = {"mr", "mrs", "ms", "dr", "st", "prof", "mt"};
    size_t begin = i;
    while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    rdv_str word = rdv_slice(s, begin, i);
    return (word.len == 1 && word.p[0] != rdv_lower(word.p[0])) ||
           rdv_is_one_of(word, titles, COUNT(titles));
}

/* One clause of a sentence. */
static bool is_one_clause(rdv_str s)
{
    s = rdv_trim_end(s);
    while (s.len && strchr(".!*\"' ", s.p[s.len - 1]))
        s.len--;
    for (size_t i = 0; i < s.len; i++) {
        bool stop = s.p[i] == '.' && rdv_char_at(s, i + 1) == ' ' && !ends_shortened(s, i);
        if (!s.p[i] || strchr(";:?!\n,(=", s.p[i]) || stop)
            return false;
    }
    return s.len > 0;
}

/* Has it letters, blanks and hyphens alone: no sign, no formula? */
static bool is_name(rdv_str s)
{
    bool is = s.len > 1;
    for (size_t i = 0; i < s.len && is; i++)
        is = rdv_is_alpha(s.p[i]) || (s.p[i] & 0x80) || s.p[i] == ' ' || s.p[i] == '\'' ||
             (s.p[i] == '-' && i > 0) || (s.p[i] == '.' && i > 0);
    return is;
}

bool restated_name(rdv_str answer, rdv_str gold, rdv_str question)
{
    words said = words_of(answer), name = words_of(gold), asked = words_of(question);
    size_t first = name.n > 1 && is_plain(name.at[0]), len = name.n - first, at = said.n, n = 0;
    if (!len || !is_name(gold) || said.more || said.n <= len || !is_one_clause(answer))
        return false;
    for (size_t i = 0; i + len <= said.n; i++) {
        size_t k = 0;
        while (k < len && rdv_str_ieq(said.at[i + k], name.at[first + k]))
            k++;
        at = k == len ? i : at;
        n += k == len;
    }
    bool is = n == 1;
    for (size_t i = 0; i < said.n && is; i++) {
        rdv_str word = said.at[i];
        bool than = rdv_str_ieq(word, RDV_STR("than"));
        if (i == at) {
            i += len - 1;
            is = i + 1 == said.n || !rdv_str_ieq(said.at[i + 1], RDV_STR("'s"));
        } else if (than && i > at) {
            break;
        } else {
            is = !than && !is_refused(word) && (is_plain(word) || holds(&asked, word));
        }
    }
    return is;
}

rdv_str restated_rest(rdv_str answer, rdv_str question)
{
    static const char *const inner[] = {"of", "the", "de", "von", "van"};
    words said = words_of(answer), asked = words_of(question);
    size_t first = 0, last = 0;
    bool is = !said.more && !asked.more && is_one_clause(answer);
    for (size_t i = 0; i < said.n && is; i++) {
        rdv_str word = said.at[i];
        is = !is_refused(word) && !rdv_str_ieq(word, RDV_STR("than"));
        if (is_plain(word) || holds(&asked, word))
            continue;
        for (size_t k = last; last && k < i; k++)
            is = is && rdv_is_one_of(said.at[k], inner, COUNT(inner));
        first = last ? first : i + 1;
        last = i + 1;
    }
    if (!is || !last)
        return (rdv_str){0};
    rdv_str end = said.at[last - 1];
    size_t begin = (size_t)(said.at[first - 1].p - answer.p);
    return rdv_slice(answer, begin, (size_t)(end.p - answer.p) + end.len);
}

bool restated_truth(rdv_str answer, rdv_str question, bool *yes)
{
    words said = words_of(answer), asked = words_of(question);
    bool is = !said.more && !asked.more && said.n && is_one_clause(answer) && asked.n > 2 &&
              answer_class_has(CLASS_AUXILIARY, asked.at[0]);
    size_t content = 0, denials = 0, missing = 0, next = 0; /* word of the question */
    bool pronoun = false, possible = false;
    for (size_t i = 0; i < asked.n && is; i++) {
        rdv_str word = asked.at[i];
        is = !is_refused(word); /* "or", "only" */
        bool plain = is_plain(word) || answer_class_has(CLASS_AUXILIARY, word);
        missing += !plain && !holds(&said, word);
    }
    for (size_t i = 0; i < said.n && is; i++) {
        rdv_str word = said.at[i];
        rdv_str bare = rdv_istarts(word, RDV_STR("im")) ? rdv_slice(word, 2, word.len) : word;
        bool opposite = bare.len < word.len && !holds(&asked, word) && holds(&asked, bare);
        bool denial = assertion_denies(NULL, word) || rdv_str_ieq(word, RDV_STR("cannot"));
        denials += denial || opposite;
        pronoun = pronoun || answer_class_has(CLASS_PRONOUN, word);
        bool own = opposite || (holds(&asked, word) && !is_plain(word));
        possible = possible || rdv_str_ieq(opposite ? bare : word, RDV_STR("possible"));
        bool counts = own && !answer_class_has(CLASS_AUXILIARY, word);
        while (counts && next < asked.n && !is_same(asked.at[next], opposite ? bare : word))
            next++;
        if (counts && next++ == asked.n)
            return false; /* "7 is less than 5" for "Is 5 less than 7?" */
        content += counts;
        is = denial || (!is_refused(word) &&
                        (own || is_plain(word) || answer_class_has(CLASS_AUXILIARY, word)));
    }
    /* "It is possible" leaves out what; "They are parallel." the subject of a short question. */
    *yes = denials == 0;
    return is && content && denials < 2 && (!missing || (pronoun && (possible || missing < 2)));
}
