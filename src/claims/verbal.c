/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/verbal.h"

#include "base/arena.h"
#include "base/str.h"
#include "claims/adjacency.h"
#include "claims/verbal_reading.h"
#include "language/phrase.h"
#include "language/word_class.h"

/* Has it only numbers? */
static bool is_plain(const equality *e)
{
    bool plain = true;
    for (size_t i = 0; i < e->n; i++)
        plain = plain && expression_is_plain(&e->term[i]);
    return plain;
}

/* Of the equalities before index `n` and those in words from `n` on, both in order, keep each that
 * does not lie within another. One that begins at the same place was read as a whole before, unless
 * it has only numbers: "48 = 12" of "48 = 12 boxes of 4". */
static void merge(equalities *all, size_t n)
{
    size_t kept = 0, spoken = n, total = all->n;
    for (size_t i = 0; i < n; i++) {
        const equality *e = &all->at[i];
        size_t begin = e->term[0].begin, end = e->term[e->n - 1].end;
        while (spoken < total && all->at[spoken].term[1].end < end)
            spoken++;
        bool beside = spoken == total || begin < all->at[spoken].term[0].begin;
        bool whole = !beside && begin == all->at[spoken].term[0].begin && !is_plain(e);
        if (whole)
            all->at[spoken].n = 0;
        if (beside || whole)
            all->at[kept++] = *e;
    }
    for (size_t i = n; i < total; i++)
        if (all->at[i].n)
            all->at[kept++] = all->at[i];
    all->n = kept;
}

/* The last number that may be claimed, "is 7", "= 7", "7 times", or that a claim may end with, "12
 * is 20% of 60": a token; 0: there is none. Most texts have none, and then no claim is looked for.
 */
static size_t last_number(const tokens *t)
{
    const unsigned relates = WORD_RESULT | WORD_RELATES;
    bool equal = t->words & (WORD_OPERATION | WORD_RELATES);
    size_t i = t->n - 1;
    for (; i > 0 && (equal || (t->words & relates)); i--) {
        const token *n = &t->at[i], *before = n - 1;
        if (n->kind != TOK_NUMBER && n->kind != TOK_FRAC && !(n->word & WORD_NUMBER) &&
            !tok_is_word(t, i, "dozen"))
            continue;
        while (before > t->at && (before->kind == TOK_MINUS || before->kind == TOK_CURRENCY ||
                                  before->kind == TOK_PUNCT)) /* "approx. -$5" */
            before--;
        if ((before->word & relates) || (equal && before->kind == TOK_EQUAL) ||
            tok_is_word(t, i + 1, "times"))
            return i;
    }
    return 0;
}

/* The first claim from the next token on, which becomes the one behind it. RDV_NONE: there is none
 * before token `last`. */
static int next_claim(reading *at, size_t last, size_t *last_end, verbal_claim *out)
{
    const verbal_grammar *g = at->g;
    const tokens *t = at->p.t;
    for (size_t *i = &at->p.pos; *i < last; ++*i) {
        bool may =
            verbal_begins_with_word(&g->begin, at->in_text, t, *i) || verbal_is_captured(t, *i);
        bool begins =
            may && verbal_clause_begins(g, t, *i, *last_end) && !adjacency_takes_part_before(t, *i);
        if (!begins && !(t->at[*i].word & WORD_VERB))
            continue;
        rdv_mark mark = rdv_arena_mark(at->p.arena);
        int r = verbal_claim_at(at, begins, out);
        if (r == RDV_NONE) {
            rdv_arena_rewind(at->p.arena, mark);
            continue;
        }
        *i = *last_end = out->sides[1].end;
        return r;
    }
    return RDV_NONE;
}

static reading begin(const verbal_grammar *g, const rule_set *rules, const verbal_set *in_text,
                     const tokens *t, rdv_arena *arena)
{
    return (reading){
        .p = {.t = t, .at = t->at, .arena = arena}, .g = g, .rules = rules, .in_text = in_text};
}

int verbal_find(const tokens *t, const rule_set *rules, rdv_arena *arena, equalities *out)
{
    const verbal_grammar *g = verbal_grammar_built_in();
    size_t n = out->n, last_end = 0, last = last_number(t);
    verbal_claim c;
    if (!g || !last)
        return g ? RDV_OK : RDV_E_NOMEM;
    verbal_set in_text = verbal_in_text(&g->begin, t);
    reading at = begin(g, rules, &in_text, t, arena);
    int r = RDV_OK;
    while (r == RDV_OK && (r = next_claim(&at, last, &last_end, &c)) == RDV_OK) {
        size_t begin = c.sides[0].begin;
        bool after_word = begin > 0 && t->at[begin - 1].kind == TOK_WORD &&
                          (!c.inverted || tok_is_word(t, begin - 1, "that"));
        r = equalities_append(arena, c.sides, c.about, after_word, out);
        if (r == RDV_OK)
            out->at[out->n - 1].read_by = c.row->id;
    }
    if (r < 0)
        return r;
    if (out->n > n)
        merge(out, n);
    return RDV_OK;
}

int verbal_first_claim(const verbal_grammar *g, const tokens *t, rdv_arena *arena,
                       verbal_claim *out)
{
    size_t last_end = 0;
    verbal_set in_text = verbal_in_text(&g->begin, t);
    reading at = begin(g, NULL, &in_text, t, arena);
    return next_claim(&at, t->n, &last_end, out);
}

bool verbal_may_be_in(rdv_str text)
{
    const verbal_grammar *g = verbal_grammar_built_in();
    return !g || phrase_in(text, g->results);
}
