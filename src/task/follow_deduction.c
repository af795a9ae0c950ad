/* SPDX-License-Identifier: Apache-2.0 */
/* `deduction`: an order of objects, deduced from statements.
 *
 * The claims of a step must follow from the statements of the question that the trace has cited, in
 * this step or an earlier one. "can be any book" claims that every book without a place in that
 * line can still stand there. */
#include "task/follow_deduction.h"

#define MAX_STATEMENTS 64

typedef struct deduction {
    order_words words;
    order_claim statements[MAX_STATEMENTS];
    bool brought_up[MAX_STATEMENTS];
    size_t n_statements;
    orders left; /* what agrees with the statements brought up */
    orders all;  /* what agrees with all of the question */
    bool unread; /* part of a step could not be read; it may have cited any statement */
} deduction;

/* ---- the question ---------------------------------------------------------------------------- */

static rdv_str without_article(rdv_str name)
{
    static const char *const before[] = {"and", "a", "an", "the", NULL};
    scan c = {.s = rdv_trim(name)};
    while (follow_scan_one_of(&c, before) != RDV_NOT_FOUND)
        continue;
    follow_scan_end(&c);
    return rdv_slice(c.s, c.at, c.s.len);
}

static bool add_name(order_words *w, rdv_str name)
{
    name = without_article(name);
    if (!name.len || w->n == ORDER_MAX)
        return false;
    w->names[w->n++] = name;
    return true;
}

/* "... five books: a red book, a gray book, and a blue book." */
static bool read_names(order_words *w, rdv_str line)
{
    size_t colon = rdv_find_char(line, ':', 0), comma;
    if (colon == RDV_NOT_FOUND)
        return false;
    rdv_str rest = rdv_trim(rdv_slice(line, colon + 1, line.len));
    size_t space = rdv_find_last(rdv_slice(line, 0, colon), RDV_STR(" "));
    if (space != RDV_NOT_FOUND)
        w->kind = rdv_slice(line, space + 1, colon);
    while (rest.len && rest.p[rest.len - 1] == '.')
        rest.len--;
    while ((comma = rdv_find_char(rest, ',', 0)) != RDV_NOT_FOUND) {
        if (!add_name(w, rdv_slice(rest, 0, comma)))
            return false;
        rest = rdv_slice(rest, comma + 1, rest.len);
    }
    size_t and = rdv_find(rest, RDV_STR(" and "), 0);
    if (and != RDV_NOT_FOUND && rdv_trim(rdv_slice(rest, 0, and)).len &&
        !add_name(w, rdv_slice(rest, 0, and)))
        return false;
    return add_name(w, rdv_slice(rest, and == RDV_NOT_FOUND ? 0 : and+5, rest.len)) && w->n > 1;
}

/* "the third book is X" says the same as "X is the third". */
static void normalise(order_claim *c)
{
    bool one = c->set && !(c->set & (c->set - 1));
    if (c->is != ORDER_HOLDS || !one)
        return;
    size_t object = 0;
    while (!(c->set >> object & 1))
        object++;
    *c = (order_claim){
        .is = ORDER_IN, .a = object, .set = (order_set)1 << c->a, .possible = c->possible};
}

static bool read_statement(deduction *d, rdv_str line)
{
    scan c = {.s = line};
    order_claim *claim = &d->statements[d->n_statements];
    d->words.subject = ORDER_MAX;
    if (d->n_statements == MAX_STATEMENTS || !follow_order_claim(&d->words, &c, claim))
        return false;
    normalise(claim);
    d->n_statements++;
    follow_scan_char(&c, '.');
    return follow_scan_end(&c);
}

static bool read_question(deduction *d, rdv_str text)
{
    rdv_str line;
    while (rdv_next_line(&text, &line)) {
        line = rdv_trim(line);
        if (!rdv_starts(line, RDV_STR("- ")))
            continue;
        line = rdv_slice(line, 2, line.len);
        if (d->words.n ? !read_statement(d, line) : !read_names(&d->words, line))
            return false;
    }
    return d->n_statements > 0;
}

static int open_deduction(follow *f)
{
    deduction *d = RDV_NEW(f->arena, deduction);
    if (!d)
        return RDV_E_NOMEM;
    f->state = d;
    if (!read_question(d, follow_question(&f->chain->question)))
        return RDV_NONE;
    if (!follow_orders_all(&d->left, d->words.n, f->arena) ||
        !follow_orders_all(&d->all, d->words.n, f->arena))
        return RDV_E_NOMEM;
    for (size_t i = 0; i < d->n_statements; i++)
        follow_orders_keep(&d->all, &d->statements[i]);
    return d->all.n_left ? RDV_OK : RDV_NONE; /* statements that contradict each other */
}

/* ---- claims ---------------------------------------------------------------------------------- */

static size_t statement_of(const deduction *d, const order_claim *c)
{
    size_t i = 0;
    for (; i < d->n_statements; i++) {
        const order_claim *s = &d->statements[i];
        if (s->is == c->is && s->a == c->a && s->b == c->b && s->set == c->set && !c->possible)
            break;
    }
    return i;
}

static void bring_up(deduction *d, const order_claim *claim)
{
    size_t i = statement_of(d, claim);
    if (i == d->n_statements || d->brought_up[i])
        return;
    d->brought_up[i] = true;
    follow_orders_keep(&d->left, claim);
}

/* A claim that does not follow may depend on unread text, unless it is impossible. */
static bool may_rest_on_unread(follow *f, const deduction *d, const order_claim *claim)
{
    if (!d->unread || !follow_orders_any_has(&d->all, claim))
        return false;
    follow_unread(f, "it may rest on what could not be read");
    return true;
}

static void judge_claim(follow *f, const deduction *d, const order_claim *claim, rdv_str said)
{
    bool holds = claim->possible ? follow_orders_any_has(&d->left, claim)
                                 : follow_orders_all_have(&d->left, claim);
    if (holds)
        follow_right(f);
    else if (may_rest_on_unread(f, d, claim))
        return;
    else if (!follow_orders_any_has(&d->left, claim))
        follow_wrong(f, "\"%.*s\" cannot be, from what was brought up", RDV_FMT(said));
    else
        follow_custom(f, "\"%.*s\" does not follow from what was brought up", RDV_FMT(said));
}

/* ---- whole orders ---------------------------------------------------------------------------- */

#define MAX_SLOTS (2 * ORDER_MAX)

typedef struct line {
    order_slot slots[MAX_SLOTS];
    size_t n;
    bool forward;
    bool read; /* in full: what is not read may place any object */
} line;

/* False: part of it could not be read. */
static bool read_line(const deduction *d, scan *c, line *out)
{
    bool ok = true;
    size_t stop = rdv_find(c->s, RDV_STR(". "), c->at);
    scan part = {.s = rdv_slice(c->s, 0, stop), .at = c->at};
    out->n = 0;
    follow_scan_phrase(&part, "we have");
    follow_scan_char(&part, ':');
    while (ok && !follow_scan_end(&part) && out->n < MAX_SLOTS) {
        if (follow_scan_char(&part, '.') || follow_scan_char(&part, ',') ||
            follow_scan_char(&part, ';'))
            continue;
        ok = follow_order_slot(&d->words, &part, &out->slots[out->n]);
        out->n += ok;
    }
    c->at = part.s.len;
    return ok && out->n > 0 && follow_scan_end(&part);
}

static size_t place_of(const deduction *d, const line *l, size_t place)
{
    return l->forward ? place : d->words.n - 1 - place;
}

/* Objects to which the line itself gives one position. */
static order_set placed_in(const line *l)
{
    order_set found = 0;
    for (size_t i = 0; i < l->n; i++) {
        order_set o = l->slots[i].objects;
        if (l->slots[i].is == ORDER_SLOT_HELD && !l->slots[i].either && !(o & (o - 1)))
            found |= o;
    }
    return found;
}

static void judge_places(follow *f, const line *l)
{
    order_set named = 0;
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = 0; k < l->slots[i].n_places && !l->slots[i].either; k++) {
            if (named >> l->slots[i].places[k] & 1)
                follow_wrong(f, "place %zu stands twice", l->slots[i].places[k] + 1);
            named |= (order_set)1 << l->slots[i].places[k];
        }
}

static void judge_any(follow *f, const deduction *d, const line *l, const order_slot *s)
{
    order_set all = ((order_set)1 << d->words.n) - 1, open = all & ~placed_in(l);
    for (size_t k = 0; k < s->n_places; k++) {
        order_set can = follow_orders_holders(&d->left, place_of(d, l, s->places[k]));
        if (!(can & (can - 1)) && d->words.n > 1)
            follow_custom(f, "it is known what is in place %zu", s->places[k] + 1);
        for (size_t i = 0; i < d->words.n; i++)
            if (open >> i & 1 && !(can >> i & 1))
                follow_custom(f, "%.*s cannot be in place %zu", RDV_FMT(d->words.names[i]),
                              s->places[k] + 1);
    }
}

/* "third or fourth is X" */
static void judge_either(follow *f, const deduction *d, const line *l, const order_slot *s)
{
    order_claim c = {.is = ORDER_IN};
    for (size_t k = 0; k < s->n_places; k++)
        c.set |= (order_set)1 << place_of(d, l, s->places[k]);
    for (c.a = 0; c.a < d->words.n; c.a++)
        if (s->objects >> c.a & 1 && !follow_orders_all_have(&d->left, &c) &&
            !may_rest_on_unread(f, d, &c))
            follow_custom(f, "%.*s may have another place, from what was brought up",
                          RDV_FMT(d->words.names[c.a]));
}

/* With several places and one object, the last place is its own and the others stay open:
 * "second, third, and fourth is X". */
static void judge_held(follow *f, const deduction *d, const line *l, const order_slot *s)
{
    bool one = !(s->objects & (s->objects - 1));
    for (size_t k = one ? s->n_places - 1 : 0; k < s->n_places; k++) {
        size_t place = place_of(d, l, s->places[k]);
        order_claim c = {.is = ORDER_HOLDS, .a = place, .set = s->objects};
        if (follow_orders_all_have(&d->left, &c) || may_rest_on_unread(f, d, &c))
            continue;
        if (follow_orders_any_has(&d->left, &c))
            follow_custom(f, "place %zu may be another's, from what was brought up",
                          s->places[k] + 1);
        else
            follow_wrong(f, "place %zu cannot be so, from what was brought up", s->places[k] + 1);
    }
}

/* "first is the cheapest" */
static void judge_self(follow *f, const deduction *d, const line *l, const order_slot *s)
{
    for (size_t k = 0; k < s->n_places; k++)
        if (place_of(d, l, s->places[k]) != s->place)
            follow_wrong(f, "place %zu is not that end's", s->places[k] + 1);
}

static void judge_line(follow *f, const deduction *d, const line *l)
{
    judge_places(f, l);
    for (size_t i = 0; i < l->n; i++) {
        const order_slot *s = &l->slots[i];
        if (s->beyond)
            follow_wrong(f, "there are only %zu places", d->words.n);
        else if (s->is == ORDER_SLOT_ANY && l->read && !d->unread)
            judge_any(f, d, l, s);
        else if (s->is == ORDER_SLOT_HELD && s->either)
            judge_either(f, d, l, s);
        else if (s->is == ORDER_SLOT_HELD)
            judge_held(f, d, l, s);
        else if (s->is == ORDER_SLOT_SELF)
            judge_self(f, d, l, s);
        if (s->is != ORDER_SLOT_OPEN)
            follow_right(f);
    }
}

/* ---- the steps ------------------------------------------------------------------------------- */

/* Phrases that introduce a claim and state nothing themselves. */
static const char *const leads[] = {"so",
                                    "since",
                                    "because",
                                    "therefore",
                                    "thus",
                                    "hence",
                                    "then",
                                    "and",
                                    "also",
                                    "now",
                                    "but",
                                    "finally",
                                    "which means that",
                                    "which means",
                                    "this means that",
                                    "this means",
                                    "we know that",
                                    "we also know that",
                                    "we previously concluded that",
                                    "previously",
                                    "we concluded that",
                                    "we can conclude that",
                                    "by process of elimination",
                                    "according to this order",
                                    "according to the order",
                                    "according to the ordering",
                                    "according to this ordering",
                                    "it follows that",
                                    "in this ordering",
                                    "that",
                                    "we have",
                                    NULL};

static bool at_mark(scan *c)
{
    return !follow_scan_end(c) && strchr(",.;:", c->s.p[c->at]);
}

static void skip_leads(scan *c)
{
    for (;;) {
        if (at_mark(c))
            c->at++;
        else if (follow_scan_one_of(c, leads) == RDV_NOT_FOUND)
            return;
    }
}

/* Up to the next mark, or a word that begins a new claim. */
static rdv_str skip_clause(scan *c)
{
    static const char *const begin[] = {"so", "because", "since", NULL};
    size_t from = c->at;
    rdv_str word;
    while (!follow_scan_end(c) && !at_mark(c)) {
        scan lead = *c;
        if (c->at > from && follow_scan_one_of(&lead, begin) != RDV_NOT_FOUND)
            break;
        if (!follow_scan_word(c, &word))
            c->at++;
    }
    return rdv_trim(rdv_slice(c->s, from, c->at));
}

static void unread(follow *f, rdv_str clause)
{
    follow_unread(f, "could not read \"%.*s\"", RDV_FMT(rdv_str_head(clause, 60)));
}

/* Record the question's statements that the step repeats, or else check all its claims. */
static void go_through(follow *f, deduction *d, rdv_str body, bool judging)
{
    scan c = {.s = body};
    d->words.subject = ORDER_MAX;
    while (skip_leads(&c), !follow_scan_end(&c)) {
        size_t from = c.at;
        order_claim claim;
        line l;
        rdv_str direction;
        if (follow_order_direction(&c, &l.forward, &direction)) {
            l.read = read_line(d, &c, &l);
            follow_read(f, direction);
            if (l.read)
                follow_read(f, rdv_slice(body, rdv_find_char(body, ':', from), c.at));
            if (judging && l.n)
                judge_line(f, d, &l);
            if (judging && !l.read)
                unread(f, rdv_slice(body, from, body.len));
        } else if (follow_order_claim(&d->words, &c, &claim)) {
            normalise(&claim);
            follow_read(f, rdv_slice(body, from, c.at));
            if (judging)
                judge_claim(f, d, &claim, rdv_trim(rdv_slice(body, from, c.at)));
            else
                bring_up(d, &claim);
        } else {
            rdv_str clause = skip_clause(&c);
            d->unread |= clause.len > 0;
            if (judging && clause.len)
                unread(f, clause);
            c.at += c.at == from && c.at < body.len;
        }
    }
}

static void read_answer(follow *f, deduction *d, rdv_str answer)
{
    size_t letter = follow_letter(answer);
    rdv_str option =
        letter == RDV_NOT_FOUND ? (rdv_str){0} : follow_option(&f->chain->question, letter);
    scan c = {.s = option};
    order_claim claim;
    d->words.subject = ORDER_MAX;
    if (option.p)
        follow_read_letter(f, answer, option);
    if (!answer.len)
        follow_wrong(f, "it gives no answer");
    else if (option.p && follow_order_claim(&d->words, &c, &claim))
        judge_claim(f, d, &claim, option);
    else
        follow_unread(f, "the answer is none of the options");
}

/* How it will go about it. */
static bool tells_the_method(rdv_str body)
{
    return rdv_istarts(body, RDV_STR("To answer the question")) ||
           rdv_istarts(body, RDV_STR("I need")) || rdv_istarts(body, RDV_STR("I should"));
}

static void step_deduction(follow *f, rdv_str text)
{
    deduction *d = f->state;
    rdv_str body, answer;
    bool concludes = follow_answer(text, &body, &answer);
    if (tells_the_method(rdv_trim(body)))
        return;
    go_through(f, d, body, false);
    go_through(f, d, body, true);
    if (concludes)
        read_answer(f, d, answer);
}

const follow_task follow_deduction = {
    .open = open_deduction, .step = step_deduction, .plain = leads};
