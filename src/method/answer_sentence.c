/* SPDX-License-Identifier: Apache-2.0 */
#include "method/answer_sentence.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "language/phrase.h"
#include "language/word_class.h"
#include "method/number_token.h"
#include "notation/units.h"
#include "reply/words.h"

#include <rederive/text.h>

#define MAX_STEM 32 /* bytes; the rest of a longer word is not compared */

typedef struct reading {
    rdv_map asked; /* the stems of the question's words */
    number_token answer;
    bool negative; /* the answer is below zero */
} reading;

typedef enum word_kind {
    KIND_NONE = 0,
    KIND_UNKNOWN,
    KIND_NUMBER,
    KIND_VERB,     /* the subject is, has or takes a number */
    KIND_ADVERB,   /* may stand between that and the number, or begin the sentence */
    KIND_WHOLE,    /* "a total of 28" */
    KIND_COMPARED, /* more, about: not right before the number, nor behind "28 is" */
    KIND_OF,
    KIND_PREPOSITION, /* "28 pens in 3 days"; and what stands between it and a noun */
    KIND_FOR,         /* one that may stand between a verb and its number: "sold for 28" */
    KIND_TO,          /* begins a clause: "28 days to finish" */
    KIND_AND,
    KIND_OR,
    KIND_RELATIVE, /* "28 pens that are left" */
    KIND_PLAIN,    /* other words of grammar and of quantities */
    KIND_ASKED     /* of the question, or a unit */
} word_kind;

/* ---- words ----------------------------------------------------------------------------------- */

/* Does a word say that the text is denied, supposed, asked, tried, quoted or somebody else's? */
static bool withholds(rdv_str text)
{
    static phrase_list words = {"@withholds-an-answer"};
    rdv_str word;
    for (size_t at = 0; words_next(text, &at, &word, NULL);)
        if (word_denies(word))
            return true;
    return phrase_in(text, &words);
}

/* The word in lower case without its ending: "boxes" and "box", "planned" and "plan". */
static rdv_str stem(rdv_str word, char out[MAX_STEM])
{
    static const char *const endings[] = {"'s", "ies", "ing", "ed", "es", "s"};
    size_t n = 0;
    for (size_t i = 0; i < word.len && n < MAX_STEM; i++)
        out[n++] = rdv_lower(word.p[i]);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t len = strlen(endings[i]);
        if (n >= len + 2 && memcmp(out + n - len, endings[i], len) == 0) {
            n -= len;
            break;
        }
    }
    if (n > 3 && (out[n - 1] == 'e' || out[n - 1] == 'y' || out[n - 1] == out[n - 2]))
        n--;
    return (rdv_str){out, n};
}

/* The length of a sign beyond ASCII at byte `i` that says nothing, a dash or a currency; 0: none
 * is there. */
static size_t mark_len(rdv_str s, size_t i)
{
    static const char *const marks[] = {
        "\xe2\x82\xac",                                 /* € */
        "\xc2\xa3",     "\xc2\xa5",     "\xc2\xa0",     /* £ ¥ and a blank */
        "\xe2\x80\x93", "\xe2\x80\x94", "\xe2\x88\x92", /* dashes and the minus */
        "\xe3\x80\x82", "\xef\xbc\x8c", "\xef\xbc\x9a"  /* 。 ， ： */
    };
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(marks[k])))
            return strlen(marks[k]);
    return 0;
}

static bool is_apostrophe(rdv_str s, size_t i)
{
    return s.p[i] == '\'' || rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\x99"));
}

/* The end of the word that begins at byte `i`; `i`: none does. An apostrophe within is a part. */
static size_t word_end(rdv_str s, size_t i)
{
    size_t begin = i;
    while (i < s.len) {
        size_t len = 1;
        if (is_apostrophe(s, i)) {
            len = s.p[i] == '\'' ? 1 : 3;
            if (i == begin || i + len >= s.len || !rdv_is_alpha(s.p[i + len]))
                break;
        } else if (!rdv_is_alpha(s.p[i]) && ((unsigned char)s.p[i] < 0x80 || mark_len(s, i))) {
            break;
        }
        i += len;
    }
    return i;
}

static int read_question(rdv_str question, rdv_arena *arena, rdv_map *asked)
{
    rdv_map_init(asked, arena);
    for (size_t i = 0, end; i < question.len; i = end > i ? end : i + 1) {
        char buffer[MAX_STEM];
        end = word_end(question, i);
        rdv_str key = stem(rdv_slice(question, i, end), buffer);
        if (end == i || rdv_map_get(asked, key) != RDV_MAP_MISSING)
            continue;
        rdv_str copy = rdv_str_copy(arena, key);
        if (!copy.p || rdv_map_put(asked, copy, 1) != RDV_OK)
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

static word_kind kind_of_word(const reading *r, rdv_str word)
{
    static struct {
        word_kind kind;
        phrase_list words;
    } lists[] = {
        {KIND_UNKNOWN, {"@of-degree"}},
        {KIND_VERB, {"@verb-of-an-answer"}},
        {KIND_ADVERB, {"@adverb-of-an-answer"}},
        {KIND_WHOLE, {"@names-a-whole"}},
        {KIND_COMPARED, {"@compares-a-number"}},
        {KIND_OF, {"of"}},
        {KIND_PREPOSITION, {"@preposition-of-an-answer"}},
        {KIND_FOR, {"for;with"}},
        {KIND_TO, {"@subordinating;to;by"}},
        {KIND_AND, {"and"}},
        {KIND_OR, {"or"}},
        {KIND_RELATIVE, {"that;who"}},
        {KIND_ASKED, {"@counted-thing"}},
        {KIND_PLAIN, {"@word-of-grammar"}},
    };
    unit_meaning meaning;
    char buffer[MAX_STEM];
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (phrase_at(word, 0, &lists[i].words) == word.len)
            return lists[i].kind;
    bool letters = rdv_is_alpha(word.p[0]) ||
                   ((unsigned char)word.p[0] >= 0xc3 && (unsigned char)word.p[0] != 0xe2);
    /* "28 dozen" is another number. */
    bool measured = unit_find_in_prose(word, &meaning) && !meaning.unit->power[BASE_ONE];
    return letters && (measured || rdv_map_get(&r->asked, stem(word, buffer)) != RDV_MAP_MISSING)
               ? KIND_ASKED
               : KIND_UNKNOWN;
}

/* ---- pieces of text -------------------------------------------------------------------------- */

static size_t command_len(rdv_str s, size_t i)
{
    static phrase_list commands = {"boxed;fbox;text;textbf;mathbf;mathrm;quad;left;right;dollar"};
    size_t end = i + 1;
    while (end < s.len && rdv_is_alpha(s.p[end]))
        end++;
    if (end == i + 1)
        return i + 1 < s.len && strchr("()[]{}$%,;! \n\\", s.p[i + 1]) ? 2 : 0;
    return phrase_at(s, i + 1, &commands) == end - i - 1 ? end - i : 0;
}

/* The length of what stands at byte `i`, no word and no number, of the signs that say nothing; 0:
 * it is none of them. */
static size_t sign_len(rdv_str s, size_t i)
{
    static phrase_list tags = {"<answer>;</answer>"};
    if (s.p[i] == '\\')
        return command_len(s, i);
    if (s.p[i] == '<')
        return phrase_at(s, i, &tags);
    return rdv_is_space(s.p[i]) || (s.p[i] && strchr("$*#:=(){}[].,;!'-/%_", s.p[i]))
               ? 1
               : mark_len(s, i);
}

/* A place in a text: its next word, number or sign. */
typedef struct place {
    rdv_str s;
    size_t i, from;
    number_token number; /* the next one at or behind i */
    bool more;
    char sign; /* of a KIND_NONE */
} place;

static place place_at_start(rdv_str s)
{
    place p = {.s = s};
    p.more = number_token_next(s, &p.from, &p.number);
    return p;
}

/* Moves behind what comes next, and what it is into *out; KIND_NONE: a sign that says nothing.
 * Dozens and pairs are words as others. False: the text is at its end. */
static bool next_of(const reading *r, place *p, word_kind *out)
{
    size_t i = p->i, end = word_end(p->s, i);
    if (i >= p->s.len)
        return false;
    bool number = p->more && i == p->number.begin;
    size_t sign = number || end > i ? 0 : sign_len(p->s, i);
    p->sign = p->s.p[i];
    *out = number && !p->number.factor ? KIND_NUMBER
           : end > i                   ? kind_of_word(r, rdv_slice(p->s, i, end))
           : sign                      ? KIND_NONE
                                       : KIND_UNKNOWN;
    p->i = number ? p->number.end : end > i ? end : i + (sign ? sign : 1);
    p->sign = *out == KIND_NONE ? p->sign : 0;
    if (!number && end == i && !sign)
        p->sign = '?';
    while (p->more && p->number.begin < p->i)
        p->more = number_token_next(p->s, &p->from, &p->number);
    return true;
}

/* "So the answer is", "Ann has a total of", "Answer:", "####", before a number. Behind a word that
 * concludes, or one for a whole, other words may name the subject. `boxed`: the number is in a box.
 */
static bool leads_to_number(const reading *r, rdv_str s, bool boxed)
{
    word_kind kind, last = KIND_NONE, before_last = KIND_NONE, first = KIND_NONE;
    bool unknown = false, whole = false;
    char sign = 0;
    size_t begin = 0;
    for (place p = place_at_start(s); next_of(r, &p, &kind); begin = p.i) {
        if (kind == KIND_UNKNOWN && p.sign)
            return false;
        unknown |= kind == KIND_UNKNOWN && p.i - begin > 1; /* "n = 28" */
        whole |= kind == KIND_WHOLE;
        first = first ? first : kind;
        if (kind == KIND_NONE) {
            sign = p.sign == '=' || p.sign == ':' ? p.sign : sign;
        } else if (kind != KIND_ADVERB) {
            before_last = last;
            last = kind;
            sign = 0;
        }
    }
    bool leads = last == KIND_NONE || last == KIND_VERB || last == KIND_ASKED || sign ||
                 (last == KIND_OF && before_last == KIND_WHOLE) ||
                 (last == KIND_FOR && (before_last == KIND_VERB || before_last == KIND_ASKED)) ||
                 (boxed && last == KIND_OF);
    return leads && (!unknown || whole || first == KIND_ADVERB);
}

/* "pens.", "more pens than Ben in 3 days", "pens are left": what is counted, behind a number. Other
 * words than those known may stand behind a preposition, up to a verb or a comma, and so may
 * numbers; elsewhere they may go on with the number before. What begins with "to" or "who" may be
 * anything. *described: where a clause begins that is about what is counted. */
static bool names_what(const reading *r, rdv_str s, size_t *described)
{
    word_kind kind, last = KIND_NONE;
    bool free = false, named = false, verb = false;
    *described = s.len;
    for (place p = place_at_start(s); !free && next_of(r, &p, &kind);) {
        kind = kind == KIND_RELATIVE && last == KIND_PREPOSITION ? KIND_PREPOSITION : kind;
        bool relative = kind == KIND_RELATIVE && (last == KIND_ASKED || last == KIND_NONE);
        if (kind == KIND_NONE)
            named = p.sign == '/' || (named && !strchr(",;.:", p.sign));
        else
            named = kind == KIND_OF || kind == KIND_PREPOSITION || kind == KIND_FOR ||
                    (named && kind != KIND_VERB);
        verb |= kind == KIND_VERB;
        free = kind == KIND_TO || relative;
        if ((kind == KIND_UNKNOWN && (!named || p.sign)) || (kind == KIND_COMPARED && verb) ||
            (kind == KIND_COMPARED && last == KIND_PREPOSITION) || /* "at most" */
            (kind == KIND_NUMBER && !named) || kind == KIND_OR ||
            (kind == KIND_RELATIVE && !relative))
            return false;
        *described = relative ? p.i : *described;
        last = kind ? kind : last;
    }
    return true;
}

/* Behind what asserts: known words, and no number. */
static bool adds_nothing(const reading *r, rdv_str s)
{
    word_kind kind;
    for (place p = place_at_start(s); next_of(r, &p, &kind);)
        if (kind == KIND_UNKNOWN || kind == KIND_NUMBER)
            return false;
    return !withholds(s);
}

/* ---- the step -------------------------------------------------------------------------------- */

/* The last number of the text that is the answer's; false: there is none. */
static bool find_answer(const reading *r, rdv_str text, number_token *out)
{
    size_t at = 0;
    number_token next;
    bool found = false;
    while (number_token_next(text, &at, &next)) {
        bool same = strcmp(next.key, r->answer.key) == 0;
        found |= same;
        *out = same ? next : *out;
    }
    return found;
}

static bool has_minus_before(rdv_str s, size_t i)
{
    return (i > 0 && s.p[i - 1] == '-') ||
           (i > 2 && memcmp(s.p + i - 3, "\xe2\x88\x92", 3) == 0);
}

static bool states_number(const reading *r, rdv_str sentence, const number_token *number)
{
    size_t line = number->begin, described;
    while (line > 0 && sentence.p[line - 1] != '\n')
        line--;
    rdv_str before = rdv_slice(sentence, line, number->begin);
    return !withholds(sentence) && (!number->percent || r->answer.percent) &&
           (r->negative || !has_minus_before(sentence, number->begin)) &&
           leads_to_number(r, before, rdv_find(before, RDV_STR("box"), 0) != RDV_NOT_FOUND) &&
           names_what(r, rdv_slice(sentence, number->end, sentence.len), &described);
}

/* What follows the last calculation in its sentence: a clause about what is counted, "pens that are
 * not sold", may deny anything but the result. */
static bool ends_with_result(const reading *r, rdv_str behind)
{
    size_t described;
    return names_what(r, behind, &described) && !withholds(rdv_slice(behind, 0, described));
}

int answer_sentence_asserts(rdv_str step, size_t calculated, rdv_str answer, rdv_str question,
                            rdv_arena *arena, bool *asserts, rdv_error *err)
{
    reading r = {0};
    rdv_str rest = rdv_slice(step, calculated, step.len), *sentences;
    number_token number;
    size_t n, at;
    *asserts = false;
    for (at = 0; number_token_next(answer, &at, &number);)
        r.answer = number;
    if (calculated && rdv_starts(rest, RDV_STR(">>")))
        rest = rdv_slice(rest, 2, rest.len);
    int code = rdv_split_sentences(rest, arena, &sentences, &n, err);
    if (code < 0 || !r.answer.end)
        return code;
    if (read_question(question, arena, &r.asked) != RDV_OK)
        return rdv_no_memory(err);
    r.negative = has_minus_before(answer, r.answer.begin) ||
                 (r.answer.begin > 1 && answer.p[0] == '-'); /* "-$5" */
    for (at = n; at > 0 && !find_answer(&r, sentences[at - 1], &number);)
        at--;
    *asserts = at > 0 ? states_number(&r, sentences[at - 1], &number)
                      : calculated && (n == 0 || ends_with_result(&r, sentences[0]));
    for (size_t i = at > 0 ? at : 1; i < n && *asserts; i++)
        *asserts = adds_nothing(&r, sentences[i]);
    return RDV_OK;
}
