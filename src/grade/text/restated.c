/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/restated.h"

#include "answer/announcement.h"
#include "answer/span.h"
#include "base/str.h"
#include "grade/formal.h"
#include "language/assertion.h"
#include "language/cue.h"
#include "language/phrase.h"
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
    static phrase_list others = {"if;unless;fail*;wrong"};
    cue_token token;
    for (size_t i = 0; cue_next_token(s, &i, &token);)
        if (assertion_denies(NULL, token.text) || phrase_is(token.text, &others))
            return true;
    return false;
}

/* Is the point at byte `i` that of an initial or title: "C. F. Gauss", "Mr. Novak"? */
static bool ends_shortened(rdv_str s, size_t i)
{
    static phrase_list titles = {"@title"};
    size_t begin = i;
    while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    rdv_str word = rdv_slice(s, begin, i);
    return (word.len == 1 && word.p[0] != rdv_lower(word.p[0])) || phrase_is(word, &titles);
}

/* One clause of a sentence. */
static bool is_one_clause(rdv_str s)
{
    s = rdv_trim_end(s);
    while (s.len && strchr(".!*\"' ", s.p[s.len - 1]))
        s.len--;
    for (size_t i = 0; i < s.len; i++) {
        bool stop = s.p[i] == '.' && rdv_char_at(s, i + 1) == ' ' && !ends_shortened(s, i);
        bool open = s.p[i] == '(' && (i == 0 || !rdv_is_alnum(s.p[i - 1])); /* not "O(n)" */
        if (!s.p[i] || strchr(";:?!\n=", s.p[i]) || open || stop)
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

bool restated_truth(rdv_str answer, rdv_str question, bool *yes)
{
    words said = words_of(answer), asked = words_of(question);
    bool is = !said.more && !asked.more && said.n && is_one_clause(answer) && asked.n > 2 &&
              rdv_find_char(answer, ',', 0) == RDV_NOT_FOUND &&
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

rdv_str restated_behind(rdv_str s, phrase_list *joins, const char *marks)
{
    size_t begin = 0, least = *marks ? 2 : 1; /* a blank, and a mark before it */
    for (size_t i = least, end; (i = phrase_find(s, i, joins, &end)) < s.len; i = end) {
        bool marked = !*marks || (s.p[i - 2] && strchr(marks, s.p[i - 2]));
        if (s.p[i - 1] == ' ' && marked && rdv_char_at(s, end) == ' ')
            begin = end + 1;
    }
    return rdv_slice(s, begin, s.len);
}

rdv_str restated_conclusion(rdv_str s)
{
    static phrase_list joins = {"@concluding"};
    if (rdv_find_char(s, ',', 0) == RDV_NOT_FOUND && rdv_find_char(s, ';', 0) == RDV_NOT_FOUND)
        return s;
    return restated_behind(s, &joins, ",;");
}

/* Is one word the other with an ending that keeps its meaning, "decreases", "downward"? */
static bool is_form(rdv_str a, rdv_str b)
{
    static const char *const endings[] = {"s", "es", "ward", "wards", "ing"};
    static const char *const of_verbs[] = {"ing", "ent"}; /* "converge", "convergent" */
    rdv_str longer = a.len > b.len ? a : b, other = a.len > b.len ? b : a;
    return rdv_str_ieq(a, b) ||
           (other.len > 1 && rdv_istarts(longer, other) &&
            rdv_is_one_of(rdv_slice(longer, other.len, longer.len), endings, COUNT(endings))) ||
           (other.len > 4 && rdv_lower(other.p[other.len - 1]) == 'e' &&
            rdv_istarts(longer, rdv_slice(other, 0, other.len - 1)) &&
            rdv_is_one_of(rdv_slice(longer, other.len - 1, longer.len), of_verbs, COUNT(of_verbs)));
}

static bool is_opposite(rdv_str a, rdv_str b)
{
    static const char *const pairs[][2] = {
        {"", "in"},     {"", "im"},      {"", "ir"},        {"", "il"},
        {"", "un"},     {"", "non"},     {"", "non-"},      {"", "dis"},
        {"con", "di"},  {"in", "de"},    {"in", "ex"},      {"im", "ex"},
        {"up", "down"}, {"endo", "exo"}, {"over", "under"}, {"max", "min"}};
    static const char *const alike[] = {"flammable", "habitable"}; /* "inflammable" */
    if (answer_pair_follows(PAIR_OPPOSITE, a, b) || answer_pair_follows(PAIR_OPPOSITE, b, a))
        return true;
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

bool restated_opposite(rdv_str a, rdv_str b)
{
    words x = words_of(a), y = words_of(b);
    size_t from = x.n > 1 && is_plain(x.at[0]), of = y.n > 1 && is_plain(y.at[0]), n = 0;
    if (x.n - from != y.n - of)
        return false;
    for (; from < x.n; from++, of++) {
        bool opposite = is_opposite(x.at[from], y.at[of]);
        n += opposite;
        if (!opposite && !rdv_str_ieq(x.at[from], y.at[of]))
            return false;
    }
    return n == 1;
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

/* Where the words behind the subject begin, if it is named by at most two words that may be unknown
 * in the question, "the graph opens"; 0: the sentence has no such subject. */
static size_t behind_subject(const words *w, const words *asked)
{
    static phrase_list articles = {"@before-a-noun;this;that;its"};
    size_t i = 0, n = 0;
    while (i < w->n && answer_class_has(CLASS_RESULT, w->at[i]))
        i++;
    bool article = i < w->n && phrase_is(w->at[i], &articles);
    for (i += article; article && i < w->n && n < 2; i++, n++)
        if (is_plain(w->at[i]) || holds(asked, w->at[i]) || is_degree(w->at[i]) ||
            answer_class_has(CLASS_OF_ANOTHER, w->at[i]))
            break;
    return article && n ? i : 0;
}

/* ---- the phrases of a sentence ----------------------------------------------------------------
 */

#define OPTIONS_MOST 6

/* A clause, with its question: what each word is in it. */
typedef struct clause {
    rdv_str text;
    words said, asked;
} clause;

typedef enum word_role {
    ROLE_PLAIN, /* of any sentence */
    ROLE_ASKED, /* of the question */
    ROLE_NEW,
    ROLE_JOIN, /* "and" */
    ROLE_TURN  /* it denies, compares, supposes or only allows what is said */
} word_role;

static bool is_word(rdv_str word, const char *of)
{
    return rdv_str_ieq(word, rdv_str_of(of));
}

static bool is_capital(rdv_str word)
{
    return word.len && word.p[0] != rdv_lower(word.p[0]);
}

static word_role role_of(const clause *c, size_t i)
{
    rdv_str word = c->said.at[i];
    bool asked = holds(&c->asked, word), negative = is_word(word, "negative");
    if (is_word(word, "and"))
        return ROLE_JOIN;
    if (is_part(&c->said, i) || (is_refused(word) && !negative) || restated_doubts(word) ||
        (!asked &&
         (answer_class_has(CLASS_ALLOWING, word) || answer_class_has(CLASS_OF_ANOTHER, word))))
        return ROLE_TURN;
    bool plain = is_plain(word) || answer_class_has(CLASS_FUNCTION, word) ||
                 answer_class_has(CLASS_PRONOUN, word);
    return plain && !negative ? ROLE_PLAIN : asked ? ROLE_ASKED : ROLE_NEW;
}

static rdv_str piece(const clause *c, size_t from, size_t to)
{
    rdv_str end = c->said.at[to - 1];
    size_t begin = (size_t)(c->said.at[from].p - c->text.p);
    return rdv_slice(c->text, begin, (size_t)(end.p - c->text.p) + end.len);
}

static size_t find_word(const words *w, size_t from, const char *word)
{
    while (from < w->n && !is_word(w->at[from], word))
        from++;
    return from;
}

static size_t find_class(const words *w, size_t from, answer_class of)
{
    while (from < w->n && !answer_class_has(of, w->at[from]))
        from++;
    return from;
}

/* Is it a name that the question gives? */
static bool is_asked_name(const clause *c, rdv_str word)
{
    for (size_t i = 1; i < c->asked.n; i++)
        if (is_capital(c->asked.at[i]) && is_same(c->asked.at[i], word))
            return true;
    return false;
}

/* Does what stands at words `from` to `to` do or suffer what the question asks for? "Germany beat
 * Brazil." does not say who beat Germany, and "Peru is north of Chile." no country north of Peru.
 */
static bool fits_roles(const clause *c, size_t from, size_t to)
{
    const words *w = &c->said, *asked = &c->asked;
    bool before = false, after = false, between = false;
    size_t begin = 0, relative = find_class(w, 0, CLASS_RELATIVE);
    if (w->n && is_word(w->at[0], "it") && relative < w->n) /* "It was Ann who won." */
        begin = 2;
    size_t be = find_class(w, begin, CLASS_BEING), by = find_word(w, begin, "by");
    for (size_t i = 0; i < w->n; i++) {
        bool name = (i < from || i >= to) && is_asked_name(c, w->at[i]);
        before = before || (name && i < from);
        after = after || (name && i >= to);
        between = between || (i > be && i < from && role_of(c, i) == ROLE_ASKED);
    }
    if (!before && !after)
        return true;
    rdv_str last = asked->at[asked->n - 1];
    bool by_last = is_word(last, "by"), where = is_word(asked->at[0], "where") ||
                                                find_word(asked, 0, "has") < asked->n ||
                                                answer_class_has(CLASS_PREPOSITION, asked->at[0]);
    bool object =
        find_class(asked, 0, CLASS_DOING) < asked->n || answer_class_has(CLASS_PREPOSITION, last);
    bool passive = be < by && by < w->n;
    bool asks_agent =
        by_last ||
        (!object && (find_word(asked, 0, "by") == asked->n || is_word(asked->at[0], "by")));
    if (before && after)
        return false;
    if (be < w->n && !passive)
        return before ? !between || where || object : !object;
    return (passive ? by < from : !before) == asks_agent;
}

/* The options of one word that the question names: "up or down", "even, odd or neither",
 * "(their/there)", into `at` as words of it; *denied: "plausible or not plausible". */
static size_t options_of(const words *asked, rdv_str question, size_t *at, bool *denied)
{
    size_t n = 0;
    *denied = false;
    for (size_t i = 1; i + 1 < asked->n && !n; i++) {
        if (!is_word(asked->at[i], "or"))
            continue;
        size_t next = i + 1 + (i + 2 < asked->n && is_plain(asked->at[i + 1]));
        *denied = is_word(asked->at[i + 1], "not") && i + 2 < asked->n &&
                  rdv_str_ieq(asked->at[i + 2], asked->at[i - 1]);
        at[n++] = *denied ? i + 2 : next;
        for (size_t k = i; k-- > 0 && n < OPTIONS_MOST && !*denied;) {
            at[n++] = k;
            rdv_str before = k ? asked->at[k - 1] : question;
            size_t gap = (size_t)(asked->at[k].p - question.p);
            if (!k || before.p + before.len + 2 != asked->at[k].p || question.p[gap - 2] != ',')
                break;
        }
    }
    for (size_t i = 0; i + 1 < asked->n && n < 2 && !*denied; i++) {
        bool slash = asked->at[i].p + asked->at[i].len + 1 == asked->at[i + 1].p &&
                     asked->at[i + 1].p[-1] == '/';
        if (!slash)
            continue;
        for (n = 0; n < OPTIONS_MOST && i < asked->n; i++) {
            at[n++] = i;
            if (i + 1 == asked->n || asked->at[i].p + asked->at[i].len + 1 != asked->at[i + 1].p ||
                asked->at[i + 1].p[-1] != '/')
                break;
        }
    }
    return n;
}

/* Is the word a form of the option, and of no other one: "leasing" of "lease"? */
static bool is_option(const words *asked, const size_t *at, size_t n, size_t k, rdv_str word)
{
    for (size_t i = 0; i < n; i++)
        if (i != k && rdv_str_ieq(asked->at[at[i]], word))
            return false;
    return is_form(asked->at[at[k]], word);
}

/* Where the question names options: which one the clause says, in words of the question, of any
 * sentence, behind a subject that may be unknown, or before one thing of its own, "buy the car".
 * False: gold is none of them, or the question has no options. */
static bool find_option(const clause *c, rdv_str question, const words *name, stated_phrase *out)
{
    size_t at[OPTIONS_MOST], gold = OPTIONS_MOST, found = OPTIONS_MOST, place = 0, n_found = 0;
    bool denied, not_gold = name->n && is_word(name->at[0], "not");
    size_t n = options_of(&c->asked, question, at, &denied);
    for (size_t i = 0; i < c->asked.n && n && !denied; i++) {
        rdv_str word = c->asked.at[i];
        bool option = is_word(word, "or") || is_word(word, "and") || is_word(word, "neither");
        for (size_t k = 0; k < n; k++)
            option = option || at[k] == i;
        n = is_refused(word) && !option ? 0 : n; /* "Which is not ..." */
    }
    bool one = name->n == 1u + not_gold || (name->n == 2 && is_plain(name->at[0]));
    for (size_t k = 0; k < n && one && (denied || !not_gold); k++)
        gold = is_option(&c->asked, at, n, k, name->at[name->n - 1]) ? k : gold;
    if (gold == OPTIONS_MOST || (n < 2 && !denied))
        return false;
    const words *w = &c->said;
    size_t denials = 0, unknown = 0, own = 0;
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < n; k++)
            if (is_option(&c->asked, at, n, k, w->at[i])) {
                n_found += found != k;
                found = k;
                place = i;
            }
    rdv_str of = n_found ? c->asked.at[at[found]] : (rdv_str){0};
    bool capital = is_capital(of);
    size_t from = capital || denied ? 0 : behind_subject(w, &c->asked);
    bool told = n_found == 1 && !c->asked.more && rdv_find_char(c->text, ',', 0) == RDV_NOT_FOUND &&
                !(from && from < w->n && is_word(w->at[from], "of"));
    bool verb = !from && !capital && place > 1 && place + 1 == w->n &&
                find_class(w, 0, CLASS_AUXILIARY) == w->n; /* "The price went up." */
    bool noun = place + 1 < w->n;
    for (size_t i = from; i < w->n && told; i++) {
        word_role role = role_of(c, i);
        bool denial = assertion_denies(NULL, w->at[i]);
        denials += denial;
        own += role == ROLE_NEW && i > place && noun;
        unknown +=
            role == ROLE_NEW && i != place && !(verb && i + 1 == place) && !(i > place && noun);
        told = i == place || (role != ROLE_TURN && role != ROLE_JOIN) || (denied && denial);
    }
    told = told && !unknown && own < 2 && (!own || role_of(c, w->n - 1) == ROLE_NEW) &&
           denials < 2 && (!from || place > from);
    *out = (stated_phrase){.text = c->text, .is = RDV_CANNOT_TELL, .alone = true};
    if (told && !capital)
        out->is = (denied ? (denials == 1) == not_gold : found == gold) ? RDV_SAME : RDV_DIFFERENT;
    else if (told && fits_roles(c, place, place + 1))
        out->is = found == gold ? RDV_SAME : RDV_DIFFERENT;
    return told || (n_found > 0 && !capital);
}

/* Gold, once, among words of the question and of any sentence. */
static bool find_gold(const clause *c, const words *name, stated_phrase *out)
{
    const words *w = &c->said;
    size_t first = name->n > 1 && is_plain(name->at[0]), len = name->n - first, at = w->n, n = 0;
    for (size_t i = 0; len && i + len <= w->n; i++) {
        size_t k = 0;
        while (k < len && rdv_str_ieq(w->at[i + k], name->at[first + k]))
            k++;
        at = k == len ? i : at;
        n += k == len;
    }
    bool is = n == 1 && fits_roles(c, at, at + len) &&
              !(at + len < w->n && is_word(w->at[at + len], "'s"));
    for (size_t i = 0; i < w->n && is; i++)
        is = (i >= at && i < at + len) || role_of(c, i) <= ROLE_ASKED;
    if (is)
        *out = (stated_phrase){.text = piece(c, at, at + len), .is = RDV_CANNOT_TELL};
    return is;
}

/* What the clause says besides, in one piece: "C. F. Gauss" of "It was C. F. Gauss." */
static bool find_rest(const clause *c, stated_phrase *out)
{
    static phrase_list inner = {"@preposition;the;de;von;van"};
    size_t first = c->said.n, last = 0;
    bool is = !c->asked.more;
    for (size_t i = 0; i < c->said.n && is; i++) {
        word_role role = role_of(c, i);
        is = role != ROLE_TURN;
        if (role != ROLE_NEW)
            continue;
        for (size_t k = last; last && k < i; k++)
            is = is && (role_of(c, k) == ROLE_JOIN || phrase_is(c->said.at[k], &inner));
        first = last ? first : i;
        last = i + 1;
    }
    for (size_t i = 0; i < c->said.n && is; i++)
        is = role_of(c, i) != ROLE_JOIN || (i > first && i < last);
    if (!is || !last || !fits_roles(c, first, last))
        return false;
    *out = (stated_phrase){.text = piece(c, first, last), .is = RDV_CANNOT_TELL, .differs = true};
    return true;
}

/* The subject of which the rest says what the question asks for, "Jack is the tallest of the
 * three."; without a question, "Jack is the tallest". */
static bool find_subject(const clause *c, rdv_str gold, stated_phrase *out)
{
    const words *w = &c->said, *asked = &c->asked;
    size_t from = 0, to = find_class(w, 0, CLASS_BEING), known = 0, i = to + 1;
    bool degree = false, noun = false;
    while (from < to && is_plain(w->at[from]))
        from++;
    for (size_t k = 0; k < to && k < w->n; k++)
        if (role_of(c, k) >= ROLE_JOIN)
            return false;
    if (from >= to || i >= w->n)
        return false;
    bool the = is_word(w->at[i], "the"), place = find_class(w, i, CLASS_RELATIVE) == i;
    for (; i < w->n; i++) {
        rdv_str word = w->at[i];
        word_role role = role_of(c, i);
        bool own = asked->n ? holds(asked, word) && role != ROLE_PLAIN : the && is_degree(word);
        if (degree && !answer_class_has(CLASS_DAY_BESIDE, word) &&
            (answer_class_has(CLASS_PREPOSITION, word) || is_word(word, "to")))
            break; /* "of the three", "on Earth", "to hold the office" */
        if (role == ROLE_TURN || role == ROLE_JOIN || (role == ROLE_NEW && !own && asked->n))
            return false;
        noun = noun || (role == ROLE_NEW && !own);
        degree = degree || (own && (is_degree(word) || answer_class_has(CLASS_OF_ANOTHER, word)));
        known += own;
    }
    if (asked->n ? !known : !place && (!known || noun))
        return false;
    rdv_str name = piece(c, from, to);
    bool rival = to == from + 1 && is_capital(name) && is_capital(gold) && holds(asked, name) &&
                 holds(asked, gold);
    bool is_new = true;
    for (size_t k = from; k < to; k++)
        is_new = is_new && role_of(c, k) == ROLE_NEW;
    *out = (stated_phrase){.text = name,
                           .is = RDV_CANNOT_TELL,
                           .differs = rival || (asked->n && is_new && is_capital(name))};
    return fits_roles(c, from, to);
}

/* What it says behind its verb: "Canberra" of "The capital is Canberra.", "Sarah" of "It was Sarah
 * who broke it." */
static bool find_predicate(const clause *c, rdv_str gold, stated_phrase *out)
{
    const words *w = &c->said;
    size_t be = w->n, end = w->n, from;
    for (size_t i = 0; i < w->n; i++)
        if (answer_class_has(CLASS_BEING, w->at[i]) || answer_class_has(CLASS_NAMING, w->at[i]))
            be = i;
    size_t relative = find_class(w, 0, CLASS_RELATIVE);
    if (w->n > 3 && is_word(w->at[0], "it") && relative > 2 && relative < w->n) {
        end = relative; /* "It was Sarah who ..." */
        for (be = end - 1; be > 0 && !(answer_class_has(CLASS_BEING, w->at[be]) ||
                                       answer_class_has(CLASS_NAMING, w->at[be]));)
            be--;
    }
    if (be == w->n && w->n) { /* "The series converges." */
        bool pronoun = answer_class_has(CLASS_PRONOUN, w->at[0]);
        from = pronoun ? 1 : behind_subject(w, &c->asked);
        from = from == w->n ? from - 1 : from; /* "the series" and not three words */
        be = from ? from - 1 : w->n;
    }
    from = be + 1;
    bool known = from < end, asked = !c->asked.n;
    for (size_t i = 0; i < w->n && known; i++) {
        word_role role = role_of(c, i);
        bool must = is_word(w->at[i], "must"); /* "It must have been Sarah." */
        asked = asked || (i < be && role == ROLE_ASKED);
        bool word = i == from && end == from + 1 && !is_refused(w->at[i]); /* "impossible" */
        known = (role != ROLE_TURN || must || word) && (i + 1 >= be || role != ROLE_JOIN);
    }
    if (!known || !fits_roles(c, from, end))
        return false;
    rdv_str said =
        end == w->n ? rdv_trim(rdv_slice(c->text, (size_t)(w->at[be].p - c->text.p) + w->at[be].len,
                                         c->text.len))
                    : piece(c, from, end);
    size_t name = from + (is_word(w->at[from], "the") && from + 1 < end);
    *out = (stated_phrase){
        .text = said,
        .is = RDV_CANNOT_TELL,
        .differs = restated_opposite(said, gold) ||
                   (said.len < 40 && is_capital(w->at[name]) && is_capital(gold) && asked)};
    return true;
}

/* The only word in quotes or emphasis, behind words that lead to it. */
static bool find_marked(rdv_str s, rdv_str gold, rdv_str question, stated_phrase *out)
{
    static const char *const marks[][2] = {
        {"**", "**"}, {"*", "*"}, {"\"", "\""}, {"\xe2\x80\x9c", "\xe2\x80\x9d"}, {"_", "_"}};
    for (size_t k = 0; k < COUNT(marks); k++) {
        rdv_str open = rdv_str_of(marks[k][0]), close = rdv_str_of(marks[k][1]);
        size_t at = rdv_find(s, open, 0), begin = at + open.len;
        size_t end = at == RDV_NOT_FOUND ? at : rdv_find(s, close, begin);
        if (end == RDV_NOT_FOUND)
            continue;
        rdv_str title = rdv_slice(s, begin, end), behind = rdv_slice(s, end + close.len, s.len);
        rdv_str before = rdv_slice(s, 0, at);
        words w = words_of(before), asked = words_of(question), rest = words_of(behind);
        rdv_str last = w.n ? w.at[w.n - 1] : (rdv_str){0};
        bool verb = answer_class_has(CLASS_BEING, last) || answer_class_has(CLASS_WRITING, last);
        bool leads = w.n > 0 && rdv_find(behind, open, 0) == RDV_NOT_FOUND &&
                     !formal_holds(before, gold) && (verb || !formal_holds(question, title));
        for (size_t i = 0; i < w.n && leads; i++) {
            rdv_str word = w.at[i], next = i + 1 < w.n ? w.at[i + 1] : (rdv_str){0};
            bool own = is_capital(word) &&
                       (i > 0 || is_capital(next) || word.len == 1 || is_word(next, "'s"));
            leads = verb || own || answer_class_has(CLASS_TITLE, word) || holds(&asked, word);
        }
        clause c = {s, rest, asked};
        for (size_t i = 0; i < rest.n && leads; i++) /* "... is wrong" */
            leads =
                role_of(&c, i) < ROLE_TURN && (i || !answer_class_has(CLASS_BEING, rest.at[i]) ||
                                               rdv_starts(rdv_trim(behind), RDV_STR(",")));
        c.said = w;
        for (size_t i = 0; i < w.n && leads; i++)
            leads = role_of(&c, i) < ROLE_TURN || answer_class_has(CLASS_ALLOWING, w.at[i]);
        *out =
            (stated_phrase){.text = title, .is = RDV_CANNOT_TELL, .differs = true, .alone = true};
        return leads;
    }
    return false;
}

/* What stands behind a label that names what is asked: "Sorted: apple, pear". */
static bool find_label(rdv_str s, rdv_str question, stated_phrase *out)
{
    size_t end = rdv_find_char(s, ':', 0);
    clause c = {s, words_of(rdv_slice(s, 0, end)), words_of(question)};
    rdv_str said =
        end == RDV_NOT_FOUND ? (rdv_str){0} : answer_trim_marks(rdv_slice(s, end + 1, s.len));
    bool is = said.len && end < 50 && c.said.n;
    for (size_t i = 0; i < c.said.n && is; i++)
        is = role_of(&c, i) <= ROLE_ASKED || answer_class_has(CLASS_LABEL, c.said.at[i]);
    *out = (stated_phrase){.text = said, .is = RDV_CANNOT_TELL, .differs = true, .alone = true};
    return is;
}

/* The clause of a sentence that says something: without a reason or place before it, "At the end,",
 * and without what only describes it, denies another one or gives a reason behind it. */
static rdv_str main_clause(rdv_str s)
{
    static const char *const joins[] = {" because ", " rather than ", " instead of ", " since "};
    size_t comma = rdv_find(s, RDV_STR(", "), 0), end = s.len;
    rdv_str first = rdv_slice(s, 0, rdv_skip_letters(s, 0));
    if (comma != RDV_NOT_FOUND &&
        (answer_class_has(CLASS_LEADING, first) || rdv_ends(first, RDV_STR("ing"))) &&
        (rdv_str_ieq(first, RDV_STR("since")) || !restated_denies(rdv_slice(s, 0, comma))))
        s = rdv_slice(s, comma + 2, s.len);
    end = s.len;
    for (size_t k = 0; k < COUNT(joins); k++) {
        size_t at = rdv_ifind(s, rdv_str_of(joins[k]), 0);
        end = at < end ? at : end;
    }
    for (size_t at = 0; (at = rdv_find(s, RDV_STR(", "), at)) < end; at += 2) {
        rdv_str tail = rdv_slice(s, at + 2, end);
        rdv_str word = rdv_slice(tail, 0, rdv_skip_letters(tail, 0));
        bool reason = is_word(word, "as") || is_word(word, "not") || is_word(word, "because");
        bool article = is_plain(word) && !answer_class_has(CLASS_RELATIVE, word);
        article = article && answer_holds_class(tail, CLASS_AUXILIARY); /* another clause */
        bool list = article || rdv_find(tail, RDV_STR(" and "), 0) < tail.len ||
                    rdv_find(tail, RDV_STR(" or "), 0) < tail.len ||
                    rdv_find_char(tail, ',', 0) < tail.len;
        if (answer_class_has(CLASS_ASIDE, word) && (reason || (!list && !restated_doubts(tail))))
            end = at;
    }
    return rdv_trim(rdv_slice(s, 0, end));
}

/* Has the text commas outside the phrase? */
static bool has_commas_beside(rdv_str s, rdv_str phrase)
{
    for (size_t at = 0; (at = rdv_find_char(s, ',', at)) != RDV_NOT_FOUND; at++)
        if (s.p + at < phrase.p || s.p + at >= phrase.p + phrase.len)
            return true;
    return false;
}

rdv_str restated_rest(rdv_str s, rdv_str question)
{
    clause c = {.text = main_clause(restated_conclusion(answer_trim_marks(s))),
                .asked = words_of(question)};
    stated_phrase rest;
    c.said = words_of(c.text);
    return !c.said.more && is_one_clause(c.text) && find_rest(&c, &rest) ? rest.text : (rdv_str){0};
}

size_t restated_phrases(rdv_str s, rdv_str gold, rdv_str question, stated_phrase *out)
{
    size_t n = 0, kept = 0;
    rdv_str last = rdv_trim(cue_last_sentences(s, 1));
    clause c = {.asked = words_of(question)};
    words name = words_of(gold);
    stated_phrase option;
    if (find_label(s, question, out))
        return 1;
    bool marked = find_marked(last, gold, question, out);
    rdv_str whole = answer_trim_marks(last);
    last = restated_conclusion(whole);
    c.text = marked ? out->text : main_clause(last);
    c.said = words_of(c.text);
    if (marked) {
        *out = find_option(&c, question, &name, &option) ? option : *out;
        return 1;
    }
    if (last.len < whole.len) /* "The limits differ, so it does not exist." */
        out[n++] = (stated_phrase){.text = last, .is = RDV_CANNOT_TELL};
    bool turns = restated_turns(c.text, question);
    if (!name.n || c.said.more || !c.said.n || !is_one_clause(c.text) || turns)
        return 0;
    if (find_option(&c, question, &name, &option)) {
        *out = option;
        return 1;
    }
    if (restated_doubts(question)) /* "Who is not ...?" */
        return 0;
    size_t than = find_word(&c.said, 0, "than");
    if (than < c.said.n)
        c.said.n = than;
    n += is_name(gold) && find_gold(&c, &name, out + n);
    n += is_name(gold) && find_subject(&c, gold, out + n);
    n += find_rest(&c, out + n);
    n += find_predicate(&c, gold, out + n);
    for (size_t i = 0; i < n; i++)
        if (!has_commas_beside(c.text, out[i].text))
            out[kept++] = out[i];
    return kept;
}
