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

/* Is it the second word of "Tom is one of the tallest."? */
static bool is_part(const words *w, size_t i)
{
    return i && rdv_str_ieq(w->at[i], RDV_STR("of")) && rdv_str_ieq(w->at[i - 1], RDV_STR("one"));
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
    if (!len || restated_turns(answer, question) || !is_name(gold) || said.more || said.n <= len ||
        !is_one_clause(answer))
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
        if (is_part(&said, i))
            return false;
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
        is = !is_refused(word) && !rdv_str_ieq(word, RDV_STR("than")) && !is_part(&said, i);
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

/* ---- what the last sentence states ----------------------------------------------------------- */

rdv_str restated_conclusion(rdv_str s)
{
    static const char *const joins[] = {", so ", ", thus ", ", hence ", ", therefore ", "; so "};
    size_t begin = 0;
    for (size_t k = 0; k < COUNT(joins); k++) {
        size_t at = rdv_find_last(s, rdv_str_of(joins[k]));
        if (at != RDV_NOT_FOUND && at + strlen(joins[k]) > begin)
            begin = at + strlen(joins[k]);
    }
    return rdv_slice(s, begin, s.len);
}

/* Is one word the other with an ending that keeps its meaning, "decreases", "downward"? */
static bool is_form(rdv_str a, rdv_str b)
{
    static const char *const endings[] = {"s", "es", "ward", "wards"};
    rdv_str longer = a.len > b.len ? a : b, other = a.len > b.len ? b : a;
    return rdv_str_ieq(a, b) ||
           (other.len > 1 && rdv_istarts(longer, other) &&
            rdv_is_one_of(rdv_slice(longer, other.len, longer.len), endings, COUNT(endings)));
}

bool restated_opposite(rdv_str a, rdv_str b)
{
    static const char *const pairs[][2] = {
        {"", "in"},     {"", "im"},      {"", "ir"},        {"", "il"},
        {"", "un"},     {"", "non"},     {"", "non-"},      {"", "dis"},
        {"con", "di"},  {"in", "de"},    {"in", "ex"},      {"im", "ex"},
        {"up", "down"}, {"endo", "exo"}, {"over", "under"}, {"max", "min"}};
    static const char *const alike[] = {"flammable", "habitable"}; /* "inflammable" */
    for (size_t k = 0; k < COUNT(pairs); k++)
        for (int turned = 0; turned < 2; turned++) {
            rdv_str one = turned ? b : a, other = turned ? a : b;
            rdv_str x = rdv_str_of(pairs[k][0]), y = rdv_str_of(pairs[k][1]);
            rdv_str of = rdv_slice(one, x.len, one.len), to = rdv_slice(other, y.len, other.len);
            size_t least = x.len && *x.p == 'u' ? 0 : 3; /* "up" itself */
            if (rdv_istarts(one, x) && rdv_istarts(other, y) && of.len >= least &&
                rdv_skip_letters(of, 0) == of.len && !rdv_is_one_of(of, alike, COUNT(alike)) &&
                ((!of.len && !to.len) || is_form(of, to)))
                return true;
        }
    return false;
}

/* Is it a word of a degree, "taller", "least"? */
static bool is_degree(rdv_str word)
{
    rdv_str end = word.len > 4 ? rdv_slice(word, word.len - 3, word.len) : (rdv_str){0};
    return rdv_str_ieq(end, RDV_STR("est")) || rdv_str_ieq(word, RDV_STR("most")) ||
           rdv_str_ieq(rdv_slice(end, 1, end.len), RDV_STR("er")) ||
           answer_class_has(CLASS_LOW, word);
}

bool restated_turns(rdv_str s, rdv_str question)
{
    words said = words_of(s), asked = words_of(question);
    bool turns = false, degree = false;
    for (size_t i = 0; i < asked.n; i++)
        degree = degree || is_degree(asked.at[i]);
    for (size_t i = 0; i < said.n; i++)
        turns = turns ||
                (!holds(&asked, said.at[i]) && (answer_class_has(CLASS_OF_ANOTHER, said.at[i]) ||
                                                (degree && is_degree(said.at[i]))));
    return turns;
}

/* Has it, but for one word, no word that denies, compares, joins, supposes or only allows? */
static bool is_straight(const words *w, size_t but)
{
    static const char *const allow[] = {"could", "would", "might", "may", "should"};
    bool is = !w->more && w->n;
    for (size_t i = 0; i < w->n && is; i++)
        is = i == but || (!is_part(w, i) && !is_refused(w->at[i]) && !restated_doubts(w->at[i]) &&
                          !rdv_str_ieq(w->at[i], RDV_STR("than")) &&
                          !rdv_is_one_of(w->at[i], allow, COUNT(allow)));
    return is;
}

/* Where the words behind the subject begin, if it is named by at most two words that may be unknown
 * in the question, "the graph opens"; 0: the sentence has no such subject. */
static size_t behind_subject(const words *w, const words *asked)
{
    static const char *const articles[] = {"the", "this", "that", "its", "their"};
    size_t i = 0, n = 0;
    while (i < w->n && answer_class_has(CLASS_RESULT, w->at[i]))
        i++;
    bool article = i < w->n && rdv_is_one_of(w->at[i], articles, COUNT(articles));
    for (i += article; article && i < w->n && n < 2; i++, n++)
        if (is_plain(w->at[i]) || holds(asked, w->at[i]) || is_degree(w->at[i]) ||
            answer_class_has(CLASS_OF_ANOTHER, w->at[i]))
            break;
    return article && n ? i : 0;
}

static bool says_choice(rdv_str s, rdv_str gold, rdv_str question, rdv_same *is)
{
    words said = words_of(s), name = words_of(gold), asked = words_of(question);
    rdv_str of = name.n ? name.at[name.n - 1] : (rdv_str){0}, rival = {0};
    if (!name.n || name.n > 2 || (name.n == 2 && !is_plain(name.at[0])) || asked.more ||
        !is_one_clause(s))
        return false;
    for (size_t i = 1; i + 1 < asked.n; i++) {
        if (!rdv_str_ieq(asked.at[i], RDV_STR("or")))
            continue;
        size_t next = i + 1 + (i + 2 < asked.n && is_plain(asked.at[i + 1]));
        bool left = is_form(asked.at[i - 1], of), right = is_form(asked.at[next], of);
        if (left == right || rival.len)
            return false;
        rival = asked.at[left ? next : i - 1];
    }
    for (size_t i = 0; i < asked.n && rival.len; i++)
        if (is_refused(asked.at[i]) && !rdv_str_ieq(asked.at[i], RDV_STR("or")) &&
            !rdv_str_ieq(asked.at[i], RDV_STR("and")) && !is_form(asked.at[i], of) &&
            !is_form(asked.at[i], rival))
            return false; /* "Which is not ..." */
    if (!rival.len)
        return false;
    bool capital = of.p[0] != rdv_lower(of.p[0]) && rival.p[0] != rdv_lower(rival.p[0]);
    size_t own = 0, other = 0, at = 0, from = capital ? 0 : behind_subject(&said, &asked);
    for (size_t i = 0; i < said.n; i++) {
        bool a = is_form(said.at[i], of), b = is_form(said.at[i], rival);
        own += a;
        other += b;
        at = a || b ? i : at;
    }
    *is = RDV_CANNOT_TELL;
    bool told =
        own + other == 1 && is_straight(&said, at) && (!from || (at > from && at + 1 == said.n));
    bool verb = !from && !capital && at > 1 && at + 1 == said.n; /* "The price went up." */
    for (size_t i = 0; i < said.n && verb; i++)
        verb = !answer_class_has(CLASS_AUXILIARY, said.at[i]);
    for (size_t i = from; i < said.n && told; i++)
        told = i == at || (verb && i + 1 == at) || is_plain(said.at[i]) ||
               holds(&asked, said.at[i]) || answer_class_has(CLASS_PRONOUN, said.at[i]);
    if (told)
        *is = own ? RDV_SAME : RDV_DIFFERENT;
    return told || !own;
}

/* Is the subject gold, or gold without the noun that the question asks for, "the Pacific" where it
 * asks "Which ocean ...?" */
static bool is_named(const words *w, size_t from, size_t to, const words *name, const words *asked)
{
    size_t n = 0;
    for (size_t k = 0; k < name->n; k++) {
        bool asks = false;
        if (from + n < to && rdv_str_ieq(w->at[from + n], name->at[k])) {
            n++;
            continue;
        }
        for (size_t i = 1; i < asked->n; i++)
            asks = asks || (rdv_str_ieq(asked->at[i], name->at[k]) &&
                            (rdv_str_ieq(asked->at[i - 1], RDV_STR("which")) ||
                             rdv_str_ieq(asked->at[i - 1], RDV_STR("what"))));
        if (!asks)
            return false;
    }
    return n && from + n == to;
}

/* Do the words behind "is" describe the one that the question asks for, "the tallest of the three",
 * in its words? Without a question: are they such a description? */
static bool describes(const words *w, size_t i, const words *asked)
{
    static const char *const places[] = {"where", "who", "what"};
    size_t known = 0, begin = i;
    bool clause = i < w->n && rdv_is_one_of(w->at[i], places, COUNT(places));
    if (i + 1 >= w->n || (!clause && !rdv_str_ieq(w->at[i], RDV_STR("the"))))
        return false;
    if (!asked->n)
        return clause || (rdv_ends(w->at[i + 1], RDV_STR("est")) &&
                          (i + 2 == w->n || rdv_str_ieq(w->at[i + 2], RDV_STR("of"))));
    for (; i < w->n; i++) {
        if (rdv_str_ieq(w->at[i], RDV_STR("here")) ||
            (i > begin && rdv_str_ieq(w->at[i], RDV_STR("of"))))
            break;
        bool own = holds(asked, w->at[i]);
        known += own && !is_plain(w->at[i]);
        if (!own && !is_plain(w->at[i]))
            return false;
    }
    return known > 0;
}

static bool says_description(rdv_str s, rdv_str gold, rdv_str question, rdv_same *is)
{
    words said = words_of(s), name = words_of(gold), asked = words_of(question);
    size_t from = 0, to = 0, first = name.n > 1 && is_plain(name.at[0]);
    if (!is_straight(&said, said.n) || !name.n || asked.more || !is_one_clause(s) || !is_name(gold))
        return false;
    for (size_t i = 0; i < asked.n; i++)
        if (restated_doubts(asked.at[i]))
            return false; /* "Who is not ..." */
    while (from < said.n && is_plain(said.at[from]))
        from++;
    while (to < said.n && !answer_class_has(CLASS_BEING, said.at[to]))
        to++;
    for (size_t k = first; k < name.n; k++)
        name.at[k - first] = name.at[k];
    name.n -= first;
    if (to <= from || !describes(&said, to + 1, &asked))
        return false;
    bool own = is_named(&said, from, to, &name, &asked);
    rdv_str one = said.at[from];
    bool rival = !own && to == from + 1 && name.n == 1 && holds(&asked, one) &&
                 holds(&asked, name.at[0]) && one.p[0] != rdv_lower(one.p[0]) &&
                 name.at[0].p[0] != rdv_lower(name.at[0].p[0]);
    *is = own ? RDV_SAME : RDV_DIFFERENT;
    return own || rival;
}

static bool says_verb(rdv_str s, rdv_str gold, rdv_str question, rdv_same *is)
{
    words said = words_of(s), asked = words_of(question);
    rdv_str last = said.n ? said.at[said.n - 1] : (rdv_str){0};
    bool one = gold.len > 4 && rdv_skip_letters(gold, 0) == gold.len &&
               gold.p[gold.len - 1] == 's' && gold.p[0] == rdv_lower(gold.p[0]);
    bool same = one && rdv_str_ieq(last, gold), other = one && restated_opposite(last, gold);
    if (!(same || other) || said.n < 2 || !is_straight(&said, said.n) || !is_one_clause(s))
        return false;
    size_t i = behind_subject(&said, &asked);
    for (; i + 1 < said.n; i++)
        if (!is_plain(said.at[i]) && !holds(&asked, said.at[i]))
            return false;
    *is = same ? RDV_SAME : RDV_DIFFERENT;
    return true;
}

bool restated_says(rdv_str s, rdv_str gold, rdv_str question, rdv_same *is)
{
    return says_choice(s, gold, question, is) || says_description(s, gold, question, is) ||
           says_verb(s, gold, question, is);
}
