/* SPDX-License-Identifier: Apache-2.0 */
/* `sorting`: a list sorted letter by letter. The steps look at one letter of the words that are not
 * told apart yet, the first such group first, order them by it and put them back into the whole.
 *
 * These properties are checked against the question and the earlier steps: exactly the words in
 * question are looked at; each letter and its number; the order and the groups; the whole order;
 * the answer. A number before a group is that of its letter; the first group of a part may have the
 * number of the whole part. Numbers in the whole order are not checked. */
#include "task/follow_sorting.h"

static size_t rank_of(char letter)
{
    return letter >= 'a' && letter <= 'z' ? (size_t)(letter - 'a') + 1 : 0;
}

static rdv_str word_of(const sorting *s, size_t number)
{
    return s->words[number];
}

static int open_sorting(follow *f)
{
    sorting *s = RDV_NEW(f->arena, sorting);
    if (!s)
        return RDV_E_NOMEM;
    if (!follow_sort_read_question(follow_question(&f->chain->question), s))
        return RDV_NONE;
    for (size_t i = 0; i < s->n_words; i++)
        s->order.words[i] = i;
    s->order.n_words = s->n_words;
    s->order.groups[0] = (sort_group){.n = s->n_words};
    s->order.n_groups = 1;
    s->part = s->order;
    f->state = s;
    return RDV_OK;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static const size_t *words_in(const sort_order *o, size_t group)
{
    return &o->words[o->groups[group].begin];
}

/* Do the two hold the same words, in any order? Both are free of strangers. */
static bool same_words(const size_t *a, size_t n_a, const size_t *b, size_t n_b)
{
    bool seen[SORT_MAX_WORDS] = {0};
    for (size_t i = 0; i < n_a; i++)
        seen[a[i]] = true;
    for (size_t i = 0; i < n_b; i++) {
        if (!seen[b[i]])
            return false;
        seen[b[i]] = false;
    }
    return n_a == n_b;
}

static bool told_apart(const sorting *s, const sort_order *o, size_t group)
{
    const size_t *w = words_in(o, group);
    bool alike = true;
    for (size_t i = 1; i < o->groups[group].n; i++)
        alike &= follow_scan_same(word_of(s, w[0]), word_of(s, w[i]));
    return alike;
}

/* The first group that is not in order yet, or o->n_groups. */
static size_t first_open(const sorting *s)
{
    size_t i = 0;
    while (i < s->order.n_groups && told_apart(s, &s->order, i))
        i++;
    return i;
}

/* The words of the part in the question's order that `o` lacks, or that it has twice. */
static bool holds_the_part(follow *f, const sorting *s, const sort_order *o)
{
    if (o->stranger.p) {
        follow_wrong(f, "\"%.*s\" is not in the list", RDV_FMT(o->stranger));
        return false;
    }
    if (same_words(s->part.words, s->part.n_words, o->words, o->n_words))
        return true;
    follow_off(f, "it has not exactly the %zu words that are to be sorted", s->part.n_words);
    return false;
}

/* ---- looking at letters ---------------------------------------------------------------------- */

static void judge_letter(follow *f, const sorting *s, const sort_letter *l)
{
    char letter = follow_sort_letter_at(word_of(s, l->word), s->letter);
    rdv_str said = rdv_trim(l->letter);
    bool none =
        !said.len || rdv_str_eq(said, RDV_STR("-")) || follow_scan_same(said, RDV_STR("none"));
    if (!letter && none)
        follow_right(f);
    else if (!letter)
        follow_wrong(f, "\"%.*s\" has fewer letters", RDV_FMT(l->said));
    else if (none || (said.len == 1 && rdv_lower(said.p[0]) != letter))
        follow_wrong(f, "that letter of \"%.*s\" is \"%c\"", RDV_FMT(l->said), letter);
    else if (said.len != 1)
        follow_unread(f, "\"%.*s\" is no letter", RDV_FMT(said));
    else if (l->number && rank_of(letter) && l->number != rank_of(letter))
        follow_wrong(f, "the number of \"%c\" is %zu", letter, rank_of(letter));
    else
        follow_right(f);
}

static void judge_letters(follow *f, sorting *s, rdv_str list)
{
    scan c = {.s = list};
    sort_letter l;
    sort_order *seen = RDV_NEW(f->arena, sort_order);
    if (!seen) {
        f->failed = true;
        return;
    }
    while (seen->n_words < SORT_MAX_WORDS && follow_sort_read_letter(s, &c, &l, seen)) {
        if (l.word == SORT_NO_WORD) {
            follow_wrong(f, "\"%.*s\" is not in the list", RDV_FMT(l.said));
            return;
        }
        seen->words[seen->n_words++] = l.word;
        judge_letter(f, s, &l);
    }
    follow_scan_char(&c, '.');
    follow_read(f, rdv_slice(list, 0, c.at));
    if (!follow_scan_end(&c))
        follow_unread(f, "its letters could not be read");
    else
        holds_the_part(f, s, seen);
}

static void turn_to_part(follow *f, sorting *s, const sort_order *part)
{
    size_t open = first_open(s);
    const sort_order *o = &s->order;
    if (part->stranger.p)
        follow_wrong(f, "\"%.*s\" is not in the list", RDV_FMT(part->stranger));
    else if (open == o->n_groups)
        follow_off(f, "all words are in order already");
    else if (!same_words(words_in(o, open), o->groups[open].n, part->words, part->n_words))
        follow_custom(f, "the first group that is not in order yet has \"%.*s\" in it",
                      RDV_FMT(word_of(s, words_in(o, open)[0])));
    s->part = *part;
}

/* A later letter decides nothing while an earlier one differs. */
static void judge_letter_number(follow *f, const sorting *s)
{
    for (size_t i = 1; i < s->part.n_words && f->kind != RDV_CONTRADICT; i++)
        for (size_t k = 0; k < s->letter; k++) {
            char a = follow_sort_letter_at(word_of(s, s->part.words[0]), k);
            if (a == follow_sort_letter_at(word_of(s, s->part.words[i]), k))
                continue;
            follow_off(f, "the words differ in an earlier letter");
            break;
        }
}

/* "The second" before "letter:": the same letter once more. */
static void read_ordinal(follow *f, rdv_str text, size_t letter)
{
    size_t at = rdv_find_last(text, RDV_STR("he ")), again;
    scan c = {.s = text, .at = at == RDV_NOT_FOUND || !at ? text.len : at - 1};
    size_t from = c.at;
    if (follow_scan_phrase(&c, "the") && follow_scan_ordinal(&c, &again) && again == letter)
        follow_read(f, rdv_slice(text, from, c.at));
}

static void read_letters(follow *f, sorting *s, rdv_str text, size_t at)
{
    scan c = {.s = text, .at = at};
    size_t letter, open = rdv_find_char(text, '[', 0);
    if ((!follow_scan_phrase(&c, "their") && !follow_scan_phrase(&c, "the")) ||
        !follow_scan_ordinal(&c, &letter)) {
        follow_unread(f, "it does not say which letter it looks at");
        return;
    }
    s->letter = letter - 1;
    follow_read(f, rdv_slice(text, at - 11, c.at));
    if (open != RDV_NOT_FOUND && open < at) {
        sort_order *part = RDV_NEW(f->arena, sort_order);
        size_t close = rdv_find_char(text, ']', open);
        f->failed |= !part;
        rdv_str said = rdv_slice(text, open, close + (close < text.len));
        follow_read(f, said);
        if (part && follow_sort_read_order(s, said, part))
            turn_to_part(f, s, part);
        else
            follow_unread(f, "its part of the list could not be read");
    }
    judge_letter_number(f, s);
    size_t list = rdv_find(text, RDV_STR("letter:"), at);
    if (list != RDV_NOT_FOUND)
        read_ordinal(f, rdv_slice(text, c.at, list), letter);
    if (list != RDV_NOT_FOUND && f->kind != RDV_CONTRADICT)
        judge_letters(f, s, rdv_slice(text, list + 7, text.len));
}

/* ---- stating an order ------------------------------------------------------------------------ */

static bool judge_number(follow *f, const sorting *s, const sort_order *o, size_t group,
                         char letter)
{
    size_t number = o->groups[group].number;
    char before =
        s->letter ? follow_sort_letter_at(word_of(s, words_in(o, group)[0]), s->letter - 1) : '\0';
    if (!number || !rank_of(letter) || number == rank_of(letter))
        return true;
    if (group == 0 && before && number == rank_of(before))
        return true;
    follow_off(f, "the number of \"%c\" is %zu", letter, rank_of(letter));
    return false;
}

/* The part in the order of the letter in question. */
static bool judge_part(follow *f, const sorting *s, const sort_order *o)
{
    int last = -1;
    if (!holds_the_part(f, s, o))
        return false;
    for (size_t g = 0; g < o->n_groups; g++) {
        const size_t *w = words_in(o, g);
        char letter = follow_sort_letter_at(word_of(s, w[0]), s->letter);
        for (size_t i = 1; i < o->groups[g].n; i++)
            if (follow_sort_letter_at(word_of(s, w[i]), s->letter) != letter) {
                follow_off(f, "\"%.*s\" and \"%.*s\" differ in that letter",
                           RDV_FMT(word_of(s, w[0])), RDV_FMT(word_of(s, w[i])));
                return false;
            }
        if ((unsigned char)letter <= last) {
            follow_off(f, "\"%.*s\" does not come after the words before it",
                       RDV_FMT(word_of(s, w[0])));
            return false;
        }
        if (!judge_number(f, s, o, g, letter))
            return false;
        last = (unsigned char)letter;
    }
    follow_right(f);
    return true;
}

/* Put the ordered part where its words stood. */
static void replace_part(sorting *s, const sort_order *part, sort_order *next)
{
    next->n_words = next->n_groups = 0;
    bool done = false;
    for (size_t g = 0; g < s->order.n_groups; g++) {
        const sort_order *from = &s->order;
        size_t first = g, end = g + 1;
        if (!done && same_words(words_in(from, g), from->groups[g].n, part->words, part->n_words)) {
            from = part;
            first = 0;
            end = part->n_groups;
            done = true;
        }
        for (size_t i = first; i < end; i++) {
            next->groups[next->n_groups++] =
                (sort_group){.begin = next->n_words, .n = from->groups[i].n};
            for (size_t k = 0; k < from->groups[i].n; k++)
                next->words[next->n_words++] = words_in(from, i)[k];
        }
    }
    s->order = *next;
}

static void judge_whole(follow *f, const sorting *s, const sort_order *o)
{
    if (o->stranger.p) {
        follow_wrong(f, "\"%.*s\" is not in the list", RDV_FMT(o->stranger));
        return;
    }
    for (size_t g = 0; g < s->order.n_groups; g++) {
        const size_t *w = words_in(&s->order, g);
        if (g < o->n_groups && same_words(w, s->order.groups[g].n, words_in(o, g), o->groups[g].n))
            continue;
        follow_off(f, "\"%.*s\" should stand in place %zu of the order", RDV_FMT(word_of(s, w[0])),
                   s->order.groups[g].begin + 1);
        return;
    }
    if (o->n_groups > s->order.n_groups)
        follow_off(f, "there are more words than in the list");
    else {
        follow_right(f);
        f->unsure = false; /* the whole order is as it should be */
    }
}

/* The part as its letter orders it. */
static void order_part(const sorting *s, sort_order *out)
{
    *out = (sort_order){0};
    for (int letter = 0; letter < 256; letter++) {
        size_t begin = out->n_words;
        for (size_t i = 0; i < s->part.n_words; i++) {
            char c = follow_sort_letter_at(word_of(s, s->part.words[i]), s->letter);
            if ((unsigned char)c == letter)
                out->words[out->n_words++] = s->part.words[i];
        }
        if (out->n_words > begin)
            out->groups[out->n_groups++] = (sort_group){.begin = begin, .n = out->n_words - begin};
    }
}

static void read_order(follow *f, sorting *s, rdv_str text, size_t at)
{
    size_t hence = rdv_ifind(text, RDV_STR("hence, we have"), at);
    size_t sub = rdv_ifind(text, RDV_STR("for the subpart"), at);
    size_t end = sub < hence ? sub : hence;
    sort_order *o = RDV_NEW(f->arena, sort_order), *next = RDV_NEW(f->arena, sort_order);
    if (!o || !next) {
        f->failed = true;
        return;
    }
    rdv_str part = rdv_slice(text, at, end == RDV_NOT_FOUND ? text.len : end);
    if (!follow_sort_read_order(s, part, o)) {
        f->unsure = true;
        follow_unread(f, "its order could not be read");
        return;
    }
    if (end == RDV_NOT_FOUND && o->n_words == s->n_words && s->part.n_words < s->n_words) {
        order_part(s, next); /* the whole order at once */
        replace_part(s, next, o);
        follow_sort_read_order(s, part, o);
        follow_read(f, part);
        judge_whole(f, s, o);
        return;
    }
    follow_read(f, part);
    if (!judge_part(f, s, o))
        return;
    replace_part(s, o, next);
    if (hence == RDV_NOT_FOUND)
        return;
    rdv_str whole = rdv_trim(rdv_slice(text, hence + 14, text.len));
    follow_read(f, whole);
    if (follow_sort_read_order(s, whole, o))
        judge_whole(f, s, o);
    else
        follow_unread(f, "its whole order could not be read");
}

static void read_answer(follow *f, const sorting *s, rdv_str answer)
{
    size_t open = first_open(s);
    sort_order *o = RDV_NEW(f->arena, sort_order);
    f->failed |= !o;
    follow_read(f, answer);
    if (open < s->order.n_groups)
        follow_off(f, "the group with \"%.*s\" is not in order yet",
                   RDV_FMT(word_of(s, words_in(&s->order, open)[0])));
    else if (o && follow_sort_read_words(s, answer, o))
        judge_whole(f, s, o);
    else
        follow_unread(f, "its answer could not be read");
}

/* Other text. Unless it is a beginning without words of the list, it may have sorted some words. */
static void read_nothing(follow *f, const sorting *s, rdv_str text)
{
    follow_unread(f, "it neither looks at letters nor states an order");
    f->unsure |= f->step > 0;
    for (size_t i = 0; i < s->n_words; i++)
        f->unsure |= rdv_ifind(text, s->words[i], 0) != RDV_NOT_FOUND;
}

static void step_sorting(follow *f, rdv_str text)
{
    sorting *s = f->state;
    rdv_mark mark = rdv_arena_mark(f->arena);
    rdv_str body, answer;
    size_t at;
    if (follow_answer(text, &body, &answer))
        read_answer(f, s, answer);
    else if ((at = rdv_ifind(text, RDV_STR("looking at the"), 0)) != RDV_NOT_FOUND)
        read_letters(f, s, text, at + 11);
    else if ((at = rdv_ifind(text, RDV_STR("we now have:"), 0)) != RDV_NOT_FOUND)
        read_order(f, s, text, at + 12);
    else
        read_nothing(f, s, text);
    if (!f->why.p)
        rdv_arena_rewind(f->arena, mark);
}

static const char *const plain[] = {"i should start by",
                                    "now let's sort this subpart",
                                    "by",
                                    "letters",
                                    "letter",
                                    "of the words in the list",
                                    "of the words",
                                    "we now have",
                                    "for the subpart",
                                    "we have",
                                    "i have now sorted all the words",
                                    NULL};

const follow_task follow_sorting = {.open = open_sorting, .step = step_sorting, .plain = plain};
