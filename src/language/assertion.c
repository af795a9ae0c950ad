/* SPDX-License-Identifier: Apache-2.0 */
#include "language/assertion.h"

#include "base/arena.h"
#include "base/built_in.h"
#include "base/str.h"
#include "language/phrase.h"
#include "language/word_class.h"
#include "language/rule.h"

#include <string.h>

#define HITS_MOST 256   /* more than cues of one effect can stand among the tokens around a claim */
#define TRIES_MOST 4096 /* cues of added rules that are tried around one claim */
#define QUOTED 60       /* bytes between a quotation mark and the equality inside */
#define SERIES 120      /* between the equalities of a series and the one that is asked for */

typedef assertion_cue hit;

/* What stands around a claim. */
typedef struct claim_context {
    const rule_set *rules;
    bool added;       /* the rules of a user are looked for, with the built-in ones of clauses */
    size_t tries;     /* of cues of added rules */
    uint32_t effects; /* that are asked for, a bit for each; to what is found, pseudo-cues and
                         clauses are looked for too */
    rdv_str text;
    size_t begin, end; /* of the claim, bytes */
    const cue_text *around;
    cue_text own; /* what is around, unless it was cut before */
    hit hits[HITS_MOST];
    size_t n_hits;
    size_t clause; /* the token that the claim's clause begins with */
    size_t frame;  /* the clause, or what leads to it */
    bool counts;   /* the claim counts things, "3 * 4 = 13 pages" */
    bool right;    /* the claim is known to be true */
} claim_context;

/* ---- the cues that stand there --------------------------------------------------------------- */

/* Built-in rules are tried alone, so that what they say cannot depend on added ones. */
static bool is_wanted(const claim_context *c, const rule *r)
{
    return !r->off && (r->added == c->added || (!r->added && r->effect <= EFFECT_CLAUSE));
}

/* How the token begins, by cue_begin(), or CUE_BESIDE_NONE. */
static uint64_t begin_of(const cue_text *text, size_t at)
{
    return at < text->n && at != text->claim ? cue_begin(text->at[at].text) : CUE_BESIDE_NONE;
}

static void find_cues_at(claim_context *c, size_t at, uint32_t effects)
{
    const rule_set *s = c->rules;
    const cue_text *text = c->around;
    rdv_str word = text->at[at].text;
    for (size_t i = s->first[rule_bucket(word)]; i && c->n_hits < HITS_MOST;) {
        const rule_anchor *anchor = &s->anchors[i - 1];
        i = anchor->effects & effects ? anchor->next : 0; /* few are asked for */
        if (!(anchor->effect & effects))
            continue;
        const rule_cue *rc = &s->cues[anchor->cue];
        hit h = {&s->rules[rc->rule], 0, 0};
        if (is_wanted(c, h.rule) && cue_is_word(word, anchor->word) &&
            rule_stands_between(anchor, begin_of(text, at - 1), begin_of(text, at + 1)) &&
            (!h.rule->added || c->tries++ < TRIES_MOST) &&
            cue_matches_word(&rc->pattern, text, at, &h.begin, &h.end))
            c->hits[c->n_hits++] = h;
    }
}

/* How the token begins: a digit is some part of a number. */
static uint64_t begin_before(rdv_str token)
{
    return !token.p ? CUE_BESIDE_NONE : token.len ? cue_begin(token) : CUE_BESIDE_ANY;
}

/* May a cue be found in the text? Most have none of what is asked for, which the beginnings of
 * their words tell, before the text is cut into tokens. */
static bool may_hold_cue(const rule_set *s, rdv_str text, uint32_t effects)
{
    rdv_str before = {0}; /* the token before; p == NULL: none stands before it, or the claim */
    for (size_t i = 0, end; i < text.len; i = end) {
        bool digit = rdv_is_digit(text.p[i]);
        if (text.p[i] == ' ' || digit) {
            before = digit ? (rdv_str){text.p + i, 0} : before;
            end = i + 1;
            continue;
        }
        end = rdv_skip_letters(text, i);
        cue_token token;
        token.text = (rdv_str){text.p + i, end - i};
        unsigned char next = (unsigned char)rdv_char_at(text, end);
        bool plain = end > i && next < 0x80 && next != '\'';
        if (!plain && (end = i, !cue_next_token(text, &end, &token)))
            return false;
        if (rule_has_anchor(s, token.text, effects) &&
            rule_is_anchor(s, token.text, effects, begin_before(before),
                           cue_begin_behind(text, end)))
            return true;
        before = token.text;
    }
    return false;
}

static void find_cues(claim_context *c, uint32_t effects)
{
    for (size_t i = 0; c->rules && i < c->around->n; i++)
        if (i != c->around->claim && !c->around->at[i].number)
            find_cues_at(c, i, effects);
}

/* Does no other cue take its words? */
static bool is_pseudo(const rule *r)
{
    return r->effect == EFFECT_NOTHING || r->effect == EFFECT_ASSERTED;
}

/* A pseudo-cue takes its words from the others. */
static void drop_pseudo(claim_context *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->n_hits; i++) {
        hit h = c->hits[i];
        bool taken = false;
        for (size_t k = 0; k < c->n_hits && !taken; k++)
            taken = is_pseudo(c->hits[k].rule) && h.begin < c->hits[k].end &&
                    c->hits[k].begin < h.end && h.rule != c->hits[k].rule;
        c->hits[kept] = h;
        kept += !taken;
    }
    c->n_hits = kept;
}

/* ---- clauses --------------------------------------------------------------------------------- */

static size_t words_in(const cue_text *text, size_t begin, size_t end)
{
    size_t n = 0;
    for (size_t i = begin; i < end; i++)
        n += rdv_is_alpha(text->at[i].text.p[0]);
    return n;
}

static bool is_token(const cue_text *text, size_t i, const char *word)
{
    return i < text->n && rdv_str_ieq(text->at[i].text, rdv_str_of(word));
}

/* The token behind the last comma or colon before token `at` that divides clauses: a word or two
 * ("Hypothetically, ...") are no clause, and "that" goes on with the one before ("Assume, for once,
 * that"). */
static size_t behind_comma(const cue_text *text, size_t at)
{
    for (size_t i = at; i-- > 0;)
        if ((is_token(text, i, ",") || is_token(text, i, ":")) &&
            !(is_token(text, i + 1, "that") && i + 2 == text->claim) && words_in(text, 0, i) > 2)
            return i + 1;
    return 0;
}

static void divide(claim_context *c)
{
    const cue_text *text = c->around;
    c->clause = behind_comma(text, text->claim);
    for (size_t i = 0; i < c->n_hits; i++)
        if (c->hits[i].rule->effect == EFFECT_CLAUSE && c->hits[i].end <= text->claim &&
            c->hits[i].end > c->clause)
            c->clause = c->hits[i].end;
    c->frame = c->clause;
    if (c->clause == text->claim && c->clause > 1) {
        size_t mark = c->clause - 1, begin = behind_comma(text, mark);
        bool is_short = is_token(text, mark, ",") && !begin && words_in(text, 0, mark) <= 6;
        if (is_token(text, mark, ":") || is_short)
            c->frame = begin;
    }
}

/* ---- where a cue may stand ------------------------------------------------------------------- */

static bool all_in(const cue_text *text, size_t begin, size_t end, const cue_words *gap)
{
    for (size_t i = begin; i < end; i++)
        if (!cue_is_one_of(&text->at[i], gap))
            return false;
    return true;
}

static bool stands_before(const claim_context *c, const hit *h)
{
    const cue_text *text = c->around;
    size_t from = h->rule->unit == UNIT_CLAUSE  ? c->clause
                  : h->rule->unit == UNIT_FRAME ? c->frame
                                                : 0;
    return h->end <= text->claim && h->begin >= from &&
           (!h->rule->gap || all_in(text, h->end, text->claim, h->rule->gap));
}

/* The tokens at which what follows a claim may begin: right behind it, behind the first comma or
 * semicolon of its sentence, and the next sentence. */
static bool stands_behind(const claim_context *c, const hit *h)
{
    const cue_text *text = c->around;
    size_t first = text->claim + 1, end = first, comma = first;
    if (h->begin < first)
        return false;
    while (end < text->end && !text->at[end].ends_clause)
        end++;
    while (comma < text->end && !is_token(text, comma, ",") && !is_token(text, comma, ";"))
        comma++;
    size_t last = h->rule->unit == UNIT_CLAUSE     ? end + 1
                  : h->rule->unit == UNIT_SENTENCE ? text->end
                  : h->rule->unit == UNIT_NEXT     ? text->next
                                                   : text->n;
    if (h->begin >= last)
        return false;
    const cue_words *gap = h->rule->gap;
    return !gap || all_in(text, first, h->begin, gap) ||
           (comma < h->begin && h->begin < text->end && all_in(text, comma, h->begin, gap)) ||
           (h->begin >= text->end && all_in(text, text->end, h->begin, gap));
}

static bool applies(const claim_context *c, const hit *h)
{
    const rule *r = h->rule;
    const cue_text *text = c->around;
    if (r->effect <= EFFECT_CLAUSE || (r->not_counting && c->counts) || (r->not_right && c->right))
        return false;
    if (r->last &&
        (text->claim == 0 || cue_is_one_of(&text->at[text->claim - 1], r->last) == r->last_not))
        return false;
    return r->where == WHERE_AT || (r->where == WHERE_AROUND && h->begin < text->next) ||
           (r->where == WHERE_BEFORE ? stands_before(c, h) : stands_behind(c, h));
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static bool is_opening_quote(rdv_str s, size_t i)
{
    return s.p[i] == '"' || rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\x9c")) ||
           rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xc2\xab"));
}

static bool is_closing_quote(rdv_str s, size_t i)
{
    return s.p[i] == '"' || rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\x9d")) ||
           rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xc2\xbb"));
}

/* Quotation marks close by on both sides. A text that is quoted as a whole is not meant: words must
 * stand outside. */
static bool is_quoted(const claim_context *c)
{
    rdv_str s = c->text;
    size_t least = c->begin > QUOTED ? c->begin - QUOTED : 0, open = c->begin, close = c->end;
    while (open > least && s.p[open - 1] != '\n' && !is_opening_quote(s, open - 1))
        open--;
    if (open == least || !is_opening_quote(s, open - 1))
        return false;
    size_t most = s.len - c->end > QUOTED ? c->end + QUOTED : s.len;
    while (close < most && s.p[close] != '\n' && !is_closing_quote(s, close))
        close++;
    if (close == most || !is_closing_quote(s, close))
        return false;
    cue_token token;
    size_t words = 0, at = close + 1;
    while (words < 2 && cue_next_token(s, &at, &token))
        words += rdv_is_alpha(token.text.p[0]);
    return open > 1 || words > 1;
}

/* "1 + 4 = 5, 2 + 5 = 12, 8 + 11 = ?": the last one of a line of equalities is for the reader to
 * find, by the rule of the others. */
static bool is_in_series(const claim_context *c)
{
    rdv_str s = c->text;
    for (size_t i = c->end; i + 2 < s.len && i < c->end + SERIES && s.p[i] != '\n' && s.p[i] != '.';
         i++)
        if (s.p[i] == '=' && (s.p[i + 1] == '?' || (s.p[i + 1] == ' ' && s.p[i + 2] == '?')))
            return true;
    return false;
}

static bool has_shape(const claim_context *c, rule_shape shape)
{
    return (shape == SHAPE_QUOTATION && is_quoted(c)) || (shape == SHAPE_SERIES && is_in_series(c));
}

/* ---- claims ---------------------------------------------------------------------------------- */

/* Is the word in that list of the rules? */
static bool is_in_list(const rule_set *rules, rdv_str name, rdv_str word)
{
    const rule_set *set = rules ? rules : rule_set_built_in();
    const cue_words *list = set ? row_list(&set->lists, name) : NULL;
    return list && cue_is_one_of(&(cue_token){.text = word}, list);
}

/* Does a noun follow the number at byte `end`: "13 pages"? */
static bool precedes_noun(rdv_str s, size_t end)
{
    size_t i = rdv_skip_any(s, end, " $"), word, at = i;
    cue_token first; /* "it" of "it's" */
    for (word = i; word < s.len && (rdv_is_alpha(s.p[word]) || (word > i && s.p[word] == '\''));)
        word++;
    return word > i && !word_denies(rdv_slice(s, i, word)) &&
           cue_next_token(rdv_slice(s, 0, word), &at, &first) &&
           !is_in_list(NULL, RDV_STR("@no-noun"), first.text);
}

/* "3 * 4 = 13 pages a day": does a unit or a noun say what the numbers count? */
static bool counts_things(rdv_str s, size_t begin, size_t end)
{
    static phrase_list units = {"\\text*;\\mathrm*"};
    return rdv_find_char(rdv_slice(s, begin, end), '=', 0) != RDV_NOT_FOUND &&
           (rdv_is_alpha(s.p[end - 1]) || phrase_in(rdv_slice(s, begin, end + 8), &units) ||
            precedes_noun(s, end));
}

/* A set that is NULL is that of the built-in rules; whoever asks has seen that there is one, else
 * nothing is found. */
static void look_around(claim_context *c, const rule_set *rules, rdv_str text, size_t begin,
                        size_t end)
{
    c->rules = rules ? rules : rule_set_built_in();
    c->tries = 0;
    c->text = text;
    c->begin = begin;
    c->end = end;
    c->n_hits = 0;
    c->right = c->counts = false;
    const uint32_t pseudo = UINT32_C(1) << EFFECT_ASSERTED; /* says nothing alone */
    uint32_t effects = c->effects & ~pseudo ? c->effects & ~pseudo : c->effects;
    if (!c->rules ||
        !(may_hold_cue(c->rules, rdv_slice(text, cue_sentence_begin(text, begin), begin),
                       effects) ||
          may_hold_cue(c->rules, rdv_slice(text, end, end + CUE_BEHIND_MOST), effects)))
        return;
    cue_text_around(text, begin, end, &c->own);
    c->around = &c->own;
    find_cues(c, c->effects);
    if (!c->n_hits)
        return;
    c->counts = counts_things(text, begin, end);
    find_cues(c, rule_effects(0, EFFECT_CLAUSE) & ~c->effects);
    drop_pseudo(c);
    divide(c);
}

/* The first rule in the order of the files that applies; NULL: none does. */
static const rule *first_rule(const claim_context *c)
{
    const rule *first = NULL;
    for (size_t i = 0; i < c->n_hits; i++) {
        const rule *r = c->hits[i].rule;
        if ((!first || r < first) && !is_pseudo(r) && applies(c, &c->hits[i]))
            first = r;
    }
    for (size_t i = 0; (c->effects & c->rules->shaped) && i < c->rules->n; i++) {
        const rule *r = &c->rules->rules[i];
        if (r->shape != SHAPE_NONE && !r->off && r->added == c->added &&
            (c->effects >> r->effect & 1) && (!first || r < first) && has_shape(c, r->shape))
            first = r;
    }
    return first;
}

/* The first built-in rule with one of the effects. */
static const rule *first_of(rule_effect least, rule_effect most, const rule_set *rules,
                            rdv_str text, size_t begin, size_t end)
{
    claim_context c;
    c.added = false;
    c.effects = rule_effects(least, most);
    look_around(&c, rules, text, begin, end);
    return first_rule(&c);
}

const rule *assertion_not(const rule_set *rules, rdv_str text, size_t begin, size_t end)
{
    return first_of(EFFECT_DENIED, EFFECT_RETRACTED, rules, text, begin, end);
}

const rule *assertion_not_of_equation(const rule_set *rules, rdv_str text, size_t begin, size_t end)
{
    return first_of(EFFECT_DENIED, EFFECT_EQUATION, rules, text, begin, end);
}

const rule *assertion_not_of_answer(rdv_str text, size_t begin, size_t end, bool later)
{
    claim_context c;
    c.added = false;
    c.effects = 1u << EFFECT_DENIED | 1u << EFFECT_SUPPOSED | 1u << EFFECT_REPORTED |
                1u << EFFECT_ASSERTED | (uint32_t)later << EFFECT_RETRACTED;
    look_around(&c, NULL, text, begin, end);
    return first_rule(&c);
}

const rule *assertion_not_of_number(rdv_str text, size_t begin, size_t end, bool denied)
{
    claim_context c;
    c.added = false;
    c.effects = 1u << EFFECT_SUPPOSED | 1u << EFFECT_REPORTED | 1u << EFFECT_ASSERTED |
                (uint32_t)denied << EFFECT_DENIED;
    look_around(&c, NULL, text, begin, end);
    c.counts = c.n_hits && precedes_noun(text, end);
    return first_rule(&c);
}

const rule *assertion_excused(const rule_set *rules, rdv_str text, size_t begin, size_t end)
{
    claim_context c;
    if (!rules->any_added)
        return NULL;
    c.added = true;
    c.effects = rule_effects(EFFECT_DENIED, EFFECT_RETRACTED);
    look_around(&c, rules, text, begin, end);
    return first_rule(&c);
}

bool assertion_fires(const rule_set *rules, const rule *r, rdv_str text, size_t begin, size_t end)
{
    claim_context c;
    c.added = r->added;
    c.effects = rule_effects(r->effect, r->effect);
    look_around(&c, rules, text, begin, end);
    if (r->shape != SHAPE_NONE)
        return has_shape(&c, r->shape);
    for (size_t i = 0; i < c.n_hits; i++)
        if (c.hits[i].rule == r && (r->effect <= EFFECT_CLAUSE || applies(&c, &c.hits[i])))
            return true;
    return false;
}

bool assertion_denies(const rule_set *rules, rdv_str word)
{
    return is_in_list(rules, RDV_STR("@denial"), word);
}

const rule *assertion_denied(const rule_set *rules, rdv_str text, size_t begin)
{
    return first_of(EFFECT_DENIED, EFFECT_DENIED, rules, text, begin, begin);
}

const rule *assertion_denied_behind(const rule_set *rules, rdv_str text, size_t end, bool right)
{
    claim_context c;
    c.added = false;
    c.effects = rule_effects(EFFECT_RETRACTED, EFFECT_RETRACTED);
    look_around(&c, rules, rdv_slice(text, end, text.len), 0, 0);
    c.right = right;
    return first_rule(&c);
}

bool assertion_refuted(const rule_set *rules, rdv_str text, size_t end)
{
    return first_of(EFFECT_REFUTED, EFFECT_REFUTED, rules, text, end, end);
}

bool assertion_is_approximate(const rule_set *rules, rdv_str text, size_t begin, size_t end)
{
    return first_of(EFFECT_APPROXIMATE, EFFECT_APPROXIMATE, rules, text, begin, end);
}

bool assertion_is_rounded(const rule_set *rules, rdv_str text, size_t begin, size_t end, bool up)
{
    rule_effect effect = up ? EFFECT_ROUNDED_UP : EFFECT_ROUNDED_DOWN;
    return first_of(effect, effect, rules, text, begin, end);
}

bool assertion_states_number(rdv_str text, size_t begin, size_t end)
{
    return first_of(EFFECT_STATED, EFFECT_STATED, NULL, text, begin, end);
}

bool assertion_relates_number(rdv_str text, size_t begin, size_t end)
{
    return first_of(EFFECT_RELATED, EFFECT_RELATED, NULL, text, begin, end);
}

size_t assertion_cues(const cue_text *text, uint32_t effects, assertion_cue *out, size_t most)
{
    claim_context c;
    size_t n = 0;
    c.rules = rule_set_built_in();
    c.added = false;
    c.effects = effects;
    c.tries = 0;
    c.around = text;
    c.n_hits = 0;
    find_cues(&c, effects);
    if (!c.n_hits)
        return 0;
    find_cues(&c, rule_effects(0, EFFECT_CLAUSE));
    drop_pseudo(&c);
    for (size_t i = 0; i < c.n_hits && n < most; i++)
        if (c.hits[i].rule->effect > EFFECT_CLAUSE)
            out[n++] = c.hits[i];
    return n;
}

/* The row `withdrawn`, and how the words begin by which its cues are found: most texts have none.
 */
typedef struct withdrawing {
    rdv_arena *arena; /* that it stays in */
    const rule *row;
    uint64_t begins;
} withdrawing;

static const void *make_withdrawing(rdv_arena *arena)
{
    const rule_set *set = rule_set_built_in();
    withdrawing *w = set && arena ? RDV_NEW(arena, withdrawing) : NULL;
    if (!w)
        return NULL;
    w->arena = arena;
    w->row = rule_set_find(set, RDV_STR("withdrawn"));
    for (size_t i = 0; i < set->n_anchors; i++)
        if (&set->rules[set->cues[set->anchors[i].cue].rule] == w->row)
            w->begins |= cue_begin(set->anchors[i].word);
    return w;
}

static bool may_withdraw(const withdrawing *w, const rule_set *set, rdv_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!rdv_is_alpha(text.p[i]) || (i > 0 && rdv_is_alnum(text.p[i - 1])) ||
            !(w->begins >> cue_begin_of(rdv_slice(text, i, text.len)) & 1))
            continue;
        rdv_str word = rdv_slice(text, i, rdv_skip_letters(text, i));
        for (size_t a = set->first[rule_bucket(word)]; a; a = set->anchors[a - 1].next)
            if (&set->rules[set->cues[set->anchors[a - 1].cue].rule] == w->row &&
                cue_is_word(word, set->anchors[a - 1].word))
                return true;
    }
    return false;
}

bool assertion_last_withdrawal(rdv_str text, size_t *begin, size_t *end)
{
    static built_in made;
    const withdrawing *w = built_in_get(&made, make_withdrawing);
    assertion_cue hits[HITS_MOST];
    cue_text window;
    bool found = false, all = false;
    if (!w || !may_withdraw(w, rule_set_built_in(), text))
        return false;
    for (size_t from = 0; !all && from < text.len;) {
        cue_text_of(rdv_slice(text, from, text.len), &window);
        size_t n = assertion_cues(&window, rule_effects(EFFECT_RETRACTED, EFFECT_RETRACTED), hits,
                                  HITS_MOST);
        for (size_t i = 0; i < n; i++) {
            size_t last = hits[i].end - 1;
            if (hits[i].rule != w->row)
                continue;
            while (last > hits[i].begin && !rdv_is_alpha(window.at[last].text.p[0]))
                last--; /* "make that 12": the number stands in the place */
            rdv_str word = window.at[last].written;
            size_t after = (size_t)(word.p - text.p) + word.len;
            if (found && after <= *end)
                continue;
            found = true;
            *begin = (size_t)(window.at[hits[i].begin].written.p - text.p);
            *end = after;
        }
        all = window.n < sizeof window.at / sizeof *window.at;
        from = all ? text.len : (size_t)(window.at[window.n - CUE_OVERLAP].written.p - text.p);
    }
    return found;
}
