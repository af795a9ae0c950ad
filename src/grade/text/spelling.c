/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/spelling.h"

#include "answer/announcement.h"
#include "answer/date.h"
#include "answer/hedge.h"
#include "answer/span.h"
#include "answer/statement.h"
#include "base/str.h"
#include "grade/formal.h"
#include "grade/text/restated.h"
#include "language/assertion.h"
#include "language/ordinal.h"
#include "language/phrase.h"

#define WORDS_MOST 8    /* of a name */
#define LETTERS_MOST 40 /* of a word of it */
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- the same but for how it is written ------------------------------------------------------ */

/* The next byte of a name that counts: no point behind a letter, and no blank behind such a point,
 * "C.F." and "C. F.". */
static char next_of_name(rdv_str s, size_t *i)
{
    while (*i > 0 && *i < s.len && s.p[*i] == '.' && rdv_is_alpha(s.p[*i - 1])) {
        bool initial = *i < 2 || !rdv_is_alpha(s.p[*i - 2]);
        *i += 1 + (initial && rdv_char_at(s, *i + 1) == ' ');
    }
    return *i < s.len ? rdv_lower(s.p[(*i)++]) : '\0';
}

/* "Mr Novak" and "Mr. Novak", "UK" and "U.K.": the same but for points of abbreviations. */
static bool same_but_points(rdv_str a, rdv_str b)
{
    size_t i = 0, k = 0;
    char x, y;
    do {
        x = next_of_name(a, &i);
        y = next_of_name(b, &k);
    } while (x && x == y && !rdv_is_digit(x));
    return !x && !y;
}

/* "echo, flour" and "echo flour": words alone, with commas or "and" between them or without. */
static bool same_but_commas(rdv_str a, rdv_str b)
{
    rdv_str s[2] = {a, b}, word[2];
    size_t at[2] = {0, 0}, n = 0;
    do {
        for (size_t k = 0; k < 2; k++) {
            do {
                size_t begin = rdv_skip_any(s[k], at[k], " ,");
                at[k] = rdv_skip_letters(s[k], begin);
                word[k] = rdv_slice(s[k], begin, at[k]);
            } while (rdv_str_ieq(word[k], RDV_STR("and")));
        }
        n++;
    } while (word[0].len && rdv_str_ieq(word[0], word[1]));
    return n > 2 && at[0] == a.len && at[1] == b.len && !word[0].len && !word[1].len;
}

/* Has it neither letters nor digits: "] )"? */
static bool is_signs(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (rdv_is_alnum(s.p[i]) || (s.p[i] & 0x80))
            return false;
    return s.len > 0;
}

/* "] )" and "])", "c-b-a" and "cba": the same but for what may stand between signs, or letters. */
static bool same_but_blanks(rdv_str a, rdv_str b)
{
    for (size_t i = 0, k = 0;; i++, k++) {
        i = rdv_skip_any(a, i, " \"'`,-");
        k = rdv_skip_any(b, k, " \"'`,-");
        if (i == a.len || k == b.len || a.p[i] != b.p[k])
            return i == a.len && k == b.len;
    }
}

/* The direction that a text is, clockwise from the north in eighths of a turn; 8: none. */
static unsigned direction_of(rdv_str s)
{
    static const char *const names[][4] = {
        {"n", "north", "due north", "northward"}, {"ne", "northeast", "north-east", "north east"},
        {"e", "east", "due east", "eastward"},    {"se", "southeast", "south-east", "south east"},
        {"s", "south", "due south", "southward"}, {"sw", "southwest", "south-west", "south west"},
        {"w", "west", "due west", "westward"},    {"nw", "northwest", "north-west", "north west"}};
    bool capitals = s.len < 3; /* "NE" */
    for (size_t i = 0; i < s.len && capitals; i++)
        capitals = s.p[i] != rdv_lower(s.p[i]);
    for (unsigned k = 0; k < 8; k++)
        if (rdv_is_one_of(s, names[k] + !capitals, 4 - !capitals))
            return k;
    return 8;
}

/* ---- names ----------------------------------------------------------------------------------- */

typedef struct name {
    rdv_str word[WORDS_MOST];
    size_t n;
} name;

/* The words of a name, without articles and titles before it. False: it has digits or signs, words
 * that say how many are meant, more words, or none. */
static bool name_of(rdv_str s, name *out)
{
    static phrase_list titles = {"@title;@of-a-place;the;a;an"};
    out->n = 0;
    for (size_t i = 0, end; i < s.len; i = end) {
        for (end = i; end < s.len && (rdv_is_alpha(s.p[end]) || (s.p[end] & 0x80));)
            end++;
        rdv_str word = rdv_slice(s, i, end);
        bool title = phrase_is(word, &titles);
        if (end == i && !strchr(" -.'", s.p[end++] ? s.p[i] : '?'))
            return false;
        if (!word.len || (title && out->n == 0))
            continue;
        if (out->n == WORDS_MOST || word.len > LETTERS_MOST ||
            answer_class_has(CLASS_COUNTED, word))
            return false;
        out->word[out->n++] = word;
    }
    return out->n > 0;
}

/* At how many places two words differ at least, "gray" and "grey" at one; words of the name's
 * length alone. */
static size_t distance(rdv_str a, rdv_str b)
{
    size_t row[LETTERS_MOST + 1];
    for (size_t k = 0; k <= b.len; k++)
        row[k] = k;
    for (size_t i = 1; i <= a.len; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t k = 1; k <= b.len; k++) {
            size_t kept = corner + (rdv_lower(a.p[i - 1]) != rdv_lower(b.p[k - 1]));
            corner = row[k];
            row[k] = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
            row[k] = row[k] < kept ? row[k] : kept;
        }
    }
    return row[b.len];
}

/* "Dr" of "Doctor", "St" of "Saint": first and later letters, in their order. */
static bool is_shortened(rdv_str s, rdv_str of)
{
    size_t at = 0;
    for (size_t i = 0; i < of.len && at < s.len; i++) {
        at += rdv_lower(of.p[i]) == rdv_lower(s.p[at]);
        if (at == 0)
            return false;
    }
    return at == s.len;
}

/* May one word stand for the other: an initial, a shorter or another form, another spelling? */
static bool are_alike(rdv_str a, rdv_str b)
{
    rdv_str of = a.len < b.len ? a : b, whole = a.len < b.len ? b : a;
    size_t same = 0;
    while (same < of.len && rdv_lower(a.p[same]) == rdv_lower(b.p[same]))
        same++;
    bool ends = rdv_str_ieq(rdv_slice(whole, whole.len - of.len, whole.len), of);
    return same == of.len || same > 4 || (ends && of.len > 3) ||
           (of.len < whole.len && of.len < 4 && is_shortened(of, whole)) ||
           (whole.len > 3 && distance(a, b) < 2);
}

static bool has_like(const name *n, rdv_str word)
{
    for (size_t i = 0; i < n->n; i++)
        if (are_alike(n->word[i], word))
            return true;
    return false;
}

/* Are they the first letters of the capitalised words: "USA"? */
static bool are_initials(rdv_str s, const name *of)
{
    size_t at = 0;
    for (size_t i = 0; i < of->n; i++)
        if (of->word[i].p[0] != rdv_lower(of->word[i].p[0]))
            if (at == s.len || s.p[at++] != of->word[i].p[0])
                return false;
    return at > 1 && at == s.len;
}

/* May a word in capitals stand for the name, "USA" for "United States"? */
static bool may_shorten(const name *s, const name *of)
{
    rdv_str word = s->word[0];
    bool capitals = s->n == 1 && of->n > 1 && word.len < 6 && word.p[0] == of->word[0].p[0];
    for (size_t i = 0; i < word.len && capitals; i++)
        capitals = word.p[i] != rdv_lower(word.p[i]);
    return capitals;
}

/* Are two texts names that cannot be one: is no word of one like a word of the other, or, of names
 * of as many words, two in the same place, "Pierre Curie" and "Marie Curie"? */
static bool are_apart(rdv_str a, rdv_str b)
{
    name x, y;
    if (!name_of(a, &x) || !name_of(b, &y) || rdv_is_ascii(a) != rdv_is_ascii(b))
        return false; /* "Munich" in another language */
    size_t apart = 0;
    bool beside = false;
    for (size_t i = 0; i < x.n; i++) {
        bool one = !has_like(&y, x.word[i]);
        apart += one;
        beside = beside || (one && x.n == y.n && !has_like(&x, y.word[i]));
    }
    return (apart == x.n || beside) && !may_shorten(&x, &y) && !may_shorten(&y, &x) &&
           !(x.n == 1 && are_initials(x.word[0], &y)) && !(y.n == 1 && are_initials(y.word[0], &x));
}

/* The ordinal of a text with one, "the nineteenth century", and the words behind it; 0: none. */
static unsigned ordinal_in(rdv_str s, rdv_str *behind)
{
    unsigned value = 0;
    size_t begin = rdv_istarts(s, RDV_STR("the ")) ? 4 : 0, end = ordinal_end(s, begin, &value);
    *behind = rdv_trim(rdv_slice(s, end, s.len));
    return end > begin && rdv_has_letter(*behind) && !rdv_has_digit(*behind) ? value : 0;
}

bool spelling_are_apart(rdv_str a, rdv_str b)
{
    return !formal_may_be_value(a) && !formal_may_be_value(b) && are_apart(a, b) &&
           !formal_is_symbol(a, b);
}

bool spelling_differs_by_number(rdv_str a, rdv_str g)
{
    rdv_str of_place, of_gold;
    unsigned place = ordinal_in(a, &of_place), gold = ordinal_in(g, &of_gold);
    if (place && gold && place != gold && rdv_str_ieq(of_place, of_gold))
        return true;
    size_t i = 0, end = 0;
    while (i < a.len && i < g.len && rdv_lower(a.p[i]) == rdv_lower(g.p[i]))
        i++;
    while (i > 0 && rdv_is_digit(a.p[i - 1]))
        i--;
    end = rdv_skip_digits(a, i);
    rdv_str behind = rdv_slice(a, end, a.len);
    bool words = rdv_has_letter(rdv_slice(a, 0, i)) || rdv_has_letter(behind);
    char before = i > 0 ? a.p[i - 1] : ' ';
    return words && end > i && a.len == g.len && rdv_skip_digits(g, i) == end && before != '.' &&
           rdv_str_ieq(behind, rdv_slice(g, end, g.len)) && !rdv_has_digit(behind) &&
           !rdv_has_digit(rdv_slice(a, 0, i)) &&
           !rdv_str_eq(rdv_slice(a, i, end), rdv_slice(g, i, end));
}

/* ---- rising and falling ---------------------------------------------------------------------- */

/* Without a clause that says when or why: "Demand falls when the price rises." */
static rdv_str main_clause(rdv_str s)
{
    static phrase_list joins = {"@subordinating;with"}, begins = {"@subordinating"};
    size_t comma = rdv_find(s, RDV_STR(", "), 0), end;
    if (comma != RDV_NOT_FOUND && phrase_at(s, 0, &begins))
        return rdv_slice(s, comma + 2, s.len);
    size_t at = phrase_find(s, 1, &joins, &end);
    return rdv_trim_end(rdv_slice(s, 0, at < comma ? at : comma));
}

typedef enum trend { TREND_NONE, TREND_UP, TREND_DOWN, TREND_LEVEL, TREND_UNKNOWN } trend;

/* The clause of a question that says when: "If the price rises". */
static rdv_str condition_of(rdv_str question)
{
    static const char *const begins[] = {"if ", "when ", "as "};
    for (size_t k = 0; k < COUNT(begins); k++)
        for (size_t i = 0; i < question.len; i++) {
            size_t end = i;
            if ((i > 0 && question.p[i - 1] != ' ') ||
                !rdv_istarts(rdv_slice(question, i, question.len), rdv_str_of(begins[k])))
                continue;
            while (end < question.len && question.p[end] && !strchr(",?.", question.p[end]))
                end++;
            return rdv_slice(question, i, end);
        }
    return (rdv_str){0};
}

/* Whether what a text says goes up or down, or stays. Its other words are of any sentence, or of
 * what the question asks; else, or where it says both or denies one, it is unknown. */
static trend trend_of(rdv_str s, rdv_str question)
{
    static phrase_list moves = {"@moving"}, stay = {"stay*;remain*"};
    trend found = TREND_NONE;
    bool moved = false, stays = false;
    rdv_str clause = main_clause(s), given = condition_of(question);
    rdv_str behind = rdv_slice(s, (size_t)(clause.p - s.p) + clause.len, s.len);
    bool known = !restated_doubts(s) && rdv_find_char(s, '?', 0) == RDV_NOT_FOUND &&
                 !answer_holds_class(behind, CLASS_REFUSED); /* "It falls, no, it rises." */
    for (size_t i = 0, end; i < clause.len; i = end + (end == i)) {
        end = rdv_skip_letters(clause, i);
        rdv_str word = rdv_slice(clause, i, end);
        bool up =
            answer_class_has(CLASS_GOING_UP, word) || (moved && rdv_str_ieq(word, RDV_STR("up")));
        bool down = answer_class_has(CLASS_GOING_DOWN, word) ||
                    (moved && rdv_str_ieq(word, RDV_STR("down")));
        bool level =
            answer_class_has(CLASS_LEVEL, word) || (stays && rdv_str_ieq(word, RDV_STR("same")));
        trend of = up ? TREND_UP : down ? TREND_DOWN : level ? TREND_LEVEL : TREND_NONE;
        if (!word.len)
            continue;
        moved = phrase_is(word, &moves);
        stays = stays || phrase_is(word, &stay);
        known = known && (of == TREND_NONE || found == TREND_NONE || of == found) &&
                !answer_class_has(CLASS_REFUSED, word) && !rdv_str_ieq(word, RDV_STR("than"));
        known = known &&
                (of != TREND_NONE || moved || phrase_is(word, &stay) ||
                 answer_class_has(CLASS_OF_CHANGE, word) || answer_class_has(CLASS_PRONOUN, word) ||
                 (rdv_ifind(question, word, 0) != RDV_NOT_FOUND &&
                  rdv_ifind(given, word, 0) == RDV_NOT_FOUND));
        found = of == TREND_NONE ? found : of;
    }
    return found == TREND_NONE || known ? found : TREND_UNKNOWN;
}

/* ---- what decides ---------------------------------------------------------------------------- */

/* Does the question ask for letters, signs or an order, so that the spelling is the value? */
static bool asks_for_spelling(rdv_str question)
{
    static phrase_list words = {"@asks-for-spelling"};
    return phrase_in(question, &words);
}

#define MEMBER_NORTH (1u << 20) /* the bits below are days and months */

/* The word at byte `i`, "north-east" with both parts. */
static rdv_str member_at(rdv_str s, size_t i, size_t *end)
{
    *end = rdv_skip_letters(s, i);
    while (*end > i && rdv_char_at(s, *end) == '-' && rdv_is_alpha(rdv_char_at(s, *end + 1)))
        *end = rdv_skip_letters(s, *end + 1);
    size_t next = rdv_skip_letters(s, *end + 1); /* "north east" */
    bool two = direction_of(rdv_slice(s, i, *end)) < 8 && direction_of(rdv_slice(s, i, next)) < 8;
    *end = two ? next : *end;
    return rdv_slice(s, i, *end);
}

/* The bit of a day, month or direction, "Mondays"; 0: it is none. */
static unsigned member_of(rdv_str word)
{
    unsigned way = direction_of(word), day = answer_calendar_name(word);
    if (!day && word.len > 4 && rdv_ends(word, RDV_STR("s")))
        day = answer_calendar_name(rdv_slice(word, 0, word.len - 1));
    return way < 8 ? MEMBER_NORTH << way : day ? 1u << day : 0;
}

/* Is it written as the name of a day or month, "May" and not "may"? */
static bool is_calendar_name(rdv_str word)
{
    return word.len > 2 && word.p[0] != rdv_lower(word.p[0]) &&
           (word.len > 3 || rdv_str_eq(word, RDV_STR("May")));
}

/* The days, months or directions that a text is: "on a Monday", "Monday and Friday"; 0: it has
 * other words, or none. */
static unsigned members_of(rdv_str s)
{
    static const char *const fill[] = {"on", "a", "and", "the"};
    unsigned found = direction_of(s) < 8 ? MEMBER_NORTH << direction_of(s) : 0;
    for (size_t i = 0, end; i < s.len && found < MEMBER_NORTH; i = end + (end == i)) {
        rdv_str word = member_at(s, i, &end);
        unsigned of = word.len ? member_of(word) : 0;
        if (!of && (word.len ? !rdv_is_one_of(word, fill, COUNT(fill)) : !strchr(" ,.", s.p[i])))
            return 0;
        found |= of;
    }
    return found;
}

static unsigned count_of(unsigned members)
{
    unsigned n = 0;
    for (; members; members &= members - 1)
        n++;
    return n;
}

/* ---- parts of names ----------------------------------------------------------------------------
 */

/* Without what only describes a person before the name: "the Polish-born scientist Marie Curie". A
 * pupil of hers is another one. */
static void drop_description(rdv_str s, name *n)
{
    static const char *const articles[] = {"the ", "a ", "an "};
    size_t first = 0;
    bool article = false; /* "They met Marie Curie" */
    for (size_t k = 0; k < COUNT(articles); k++)
        article = article || rdv_istarts(s, rdv_str_of(articles[k]));
    if (!article)
        return;
    for (size_t i = 0; i < n->n; i++) {
        rdv_str word = n->word[i];
        if (answer_class_has(CLASS_PREPOSITION, word) || answer_class_has(CLASS_ALLOWING, word) ||
            answer_class_has(CLASS_REFUSED, word) || answer_class_has(CLASS_FUNCTION, word) ||
            answer_class_has(CLASS_SENTENCE, word)) /* "by", "to", "'s" */
            return;
        first = word.p[0] == rdv_lower(word.p[0]) && !(word.p[0] & 0x80) ? i + 1 : first;
    }
    for (size_t i = first; i < n->n && first < n->n; i++)
        n->word[i - first] = n->word[i];
    n->n -= first < n->n ? first : 0;
}

/* Are they one name: but for an article, title or preposition of one, "Sir Isaac Newton"; the
 * family name alone where the question asks for a person; with another name between? "Virginia" is
 * not "West Virginia", and "Mrs. Curie" not Pierre Curie. */
static bool is_one_name(rdv_str a, rdv_str b, rdv_str question)
{
    name x, y;
    if (!name_of(a, &x) || !name_of(b, &y))
        return false;
    bool bare = x.word[0].p == a.p, other_bare = y.word[0].p == b.p, alike = x.n == y.n;
    for (size_t i = 0; i < x.n && alike; i++)
        alike = rdv_str_ieq(x.word[i], y.word[i]);
    if (alike)
        return (bare || other_bare) && x.word[0].len > 2;
    drop_description(a, &x);
    drop_description(b, &y);
    const name *few = x.n < y.n ? &x : &y, *all = few == &x ? &y : &x;
    rdv_str family = few->word[few->n - 1], first = few->word[0];
    bool one = rdv_str_ieq(family, all->word[all->n - 1]) && family.len > 2;
    for (size_t i = 0; i < all->n && one; i++)
        one = all->word[i].p[0] != rdv_lower(all->word[i].p[0]) || (all->word[i].p[0] & 0x80);
    bool asked = answer_holds_class(question, CLASS_PERSON) && !formal_holds(question, family);
    return one && (few->n > 1 || all->n == 1
                       ? rdv_str_ieq(first, all->word[0]) && few->n < all->n + (all->n == 1)
                       : asked && (few == &x ? bare : other_bare));
}

/* Two texts that are read whole. */
static rdv_same compare_whole(rdv_str a, rdv_str g, rdv_str question)
{
    rdv_str behind, gold_behind;
    unsigned of = members_of(a), of_gold = members_of(g);
    unsigned place = ordinal_in(a, &behind), gold_place = ordinal_in(g, &gold_behind);
    if (rdv_str_ieq(a, g) || same_but_commas(a, g) || same_but_points(a, g))
        return RDV_SAME;
    if (is_signs(a) && is_signs(g))
        return same_but_blanks(a, g) ? RDV_SAME : RDV_DIFFERENT;
    if (spelling_differs_by_number(a, g))
        return RDV_DIFFERENT;
    if (place && gold_place && rdv_str_ieq(behind, gold_behind))
        return place == gold_place ? RDV_SAME : RDV_DIFFERENT;
    if (of && of_gold)
        return of == of_gold ? RDV_SAME : RDV_DIFFERENT;
    if (of_gold && of_gold < MEMBER_NORTH) /* "Freitag" */
        return RDV_CANNOT_TELL;
    if (restated_opposite(a, g))
        return RDV_DIFFERENT;
    if (!asks_for_spelling(question) && is_one_name(a, g, question))
        return RDV_SAME;
    bool apart = asks_for_spelling(question) ? !same_but_blanks(a, g) : are_apart(a, g);
    return apart && !formal_is_symbol(a, g) ? RDV_DIFFERENT : RDV_CANNOT_TELL;
}

/* Does a word before byte `i` say that another day is meant: "after Sunday"? */
static bool is_day_beside(rdv_str s, size_t i)
{
    size_t end = rdv_trim_end(rdv_slice(s, 0, i)).len, begin = end;
    while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    return answer_class_has(CLASS_DAY_BESIDE, rdv_slice(s, begin, end));
}

/* The days, months or directions that a sentence says, but for those that only the question names:
 * "from Tuesday we come to a Friday"; a direction only as its last word. 0: none, or one is denied,
 * doubted or another one's. */
static unsigned members_of_sentence(rdv_str s, rdv_str question)
{
    unsigned found = 0;
    rdv_str bare;
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        rdv_str word = member_at(s, i, &end);
        unsigned of = rdv_is_alpha(rdv_char_at(s, i)) ? member_of(word) : 0;
        bool last = rdv_skip_any(s, end, ".!* ") == s.len; /* "It falls on a Tuesday." */
        bool way = of >= MEMBER_NORTH;
        bool named = way ? word.len > 3 : is_calendar_name(word);
        if (!of || !named || (way && !last && !found) || (!last && formal_holds(question, word)))
            continue;
        if ((way && (!last || found)) || is_day_beside(s, i) || answer_is_denied(s, i) ||
            hedge_of(hedge_with(s, word), &bare) != HEDGE_NONE ||
            assertion_not_of_answer(s, i, end, true))
            return 0;
        found |= of;
    }
    return found;
}

rdv_same spelling_compare(rdv_str answer, rdv_str as, rdv_str gold, rdv_str gs, rdv_str question)
{
    trend gold_way = asks_for_spelling(question) ? TREND_NONE : trend_of(gs, question);
    trend way = gold_way == TREND_NONE ? TREND_NONE : trend_of(as, question);
    if (way != TREND_NONE && gold_way != TREND_NONE)
        return way == TREND_UNKNOWN || gold_way == TREND_UNKNOWN ? RDV_CANNOT_TELL
               : way == gold_way                                 ? RDV_SAME
                                                                 : RDV_DIFFERENT;
    if (statement_is_sentence(gold)) { /* "Tom" for "Tom is taller." */
        stated_phrase of[STATED_MOST];
        bool subject = as.len && as.p[0] != rdv_lower(as.p[0]) && rdv_starts(gold, as);
        size_t n = subject ? restated_phrases(gold, as, question, of) : 0;
        for (size_t i = 0; i < n; i++)
            if (of[i].is == RDV_SAME || rdv_str_ieq(of[i].text, as))
                return RDV_SAME;
        rdv_str rest = restated_rest(gold, question);
        gs = rest.len ? rest : gs;
    }
    if (statement_is_sentence(answer)) {
        unsigned of_gold = members_of(gs), n = count_of(of_gold);
        bool asked = question.p || n > 1 || of_gold >= MEMBER_NORTH;
        unsigned of = of_gold && asked ? members_of_sentence(answer, question) : 0;
        bool kind = of && n == count_of(of) && (of < 256) == (of_gold < 256) &&
                    (of < MEMBER_NORTH) == (of_gold < MEMBER_NORTH);
        return !kind ? RDV_CANNOT_TELL : of == of_gold ? RDV_SAME : RDV_DIFFERENT;
    }
    rdv_same is = compare_whole(as, gs, question);
    bool within = rdv_find_char(as, ' ', 0) != RDV_NOT_FOUND && formal_holds(as, gs) &&
                  rdv_find_char(gs, ' ', 0) == RDV_NOT_FOUND && rdv_has_letter(gs) &&
                  as.len > 2 * gs.len && !restated_doubts(as) &&
                  !restated_turns(as, question); /* "The gas becomes warmer." */
    return within && is == RDV_DIFFERENT ? RDV_CANNOT_TELL : is;
}
