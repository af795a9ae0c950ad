/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of cues: "not ... that", "@says _" (docs/rules.md). */
#include "language/cue_read.h"

#include "base/arena.h"
#include "base/str.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static int read_element(const row_reader *r, rdv_str text, cue_element *out)
{
    static const struct {
        const char *written;
        cue_kind kind;
    } signs[] = {{"_", CUE_CLAIM},    {"#", CUE_NUMBER},    {"...", CUE_GAP},
                 {"<word>", CUE_ANY}, {"<name>", CUE_NAME}, {"<start>", CUE_START},
                 {"<end>", CUE_END}};
    *out = (cue_element){0};
    if (text.len > 2 && text.p[0] == '(' && text.p[text.len - 1] == ')') {
        out->optional = true;
        text = rdv_slice(text, 1, text.len - 1);
    }
    if (text.len > 1 && text.p[0] == '!') {
        out->negated = true;
        text = rdv_slice(text, 1, text.len);
    }
    for (size_t i = 0; i < COUNT(signs); i++)
        if (*signs[i].written == *text.p && rdv_str_eq(text, rdv_str_of(signs[i].written))) {
            out->kind = signs[i].kind;
            return out->negated && out->kind != CUE_NUMBER
                       ? row_fault(r, "\"!\" stands before a word, a list of words or #")
                       : RDV_OK;
        }
    out->kind = CUE_WORDS;
    return row_words(r, text, &out->of);
}

/* How often a cue would be tried that is found by one of these words; 0: it cannot be found by
 * them, since one is known by its end alone. */
static size_t cost_as_anchor(const cue_words *of)
{
    /* Contractions begin within a word, where no text is searched for the first word of a cue. */
    static const char *const frequent[] = {",",  ".",   ":",  "=",   "(",  "a",  "and", "is",
                                           "of", "the", "to", "n't", "'m", "'s", "'re", "i",
                                           "we", "s",   "be", "can", "it", "in", "on",  "or"};
    size_t cost = of->n;
    for (size_t i = 0; i < of->n; i++) {
        if (of->words[i].p[0] == '*' && of->words[i].len > 1)
            return 0;
        bool often =
            of->words[i].len <= 3 && rdv_is_one_of(of->words[i], frequent, COUNT(frequent));
        cost += often ? 1000 : 0;
    }
    return cost;
}

/* The element by which a cue is found: the one whose words are rarest. */
static bool choose_anchor(cue *c)
{
    size_t best = 0;
    for (size_t i = 0; i < c->n; i++) {
        const cue_element *e = &c->elements[i];
        bool fixed = e->kind == CUE_WORDS && !e->negated && !e->optional;
        size_t cost = fixed ? cost_as_anchor(e->of) : 0;
        if (cost && (!best || cost < best)) {
            best = cost;
            c->anchor = i;
        }
    }
    return best;
}

static size_t reach_of(const cue *c)
{
    size_t claim = 0, reach = 1;
    while (claim < c->n && c->elements[claim].kind != CUE_CLAIM)
        claim++;
    size_t first = claim < c->anchor ? claim : c->anchor;
    size_t last = claim < c->anchor ? c->anchor : claim;
    for (size_t i = first + 1; i < last; i++)
        reach += c->elements[i].kind == CUE_GAP ? CUE_GAP_MOST : 1;
    return claim < c->n ? reach : 0;
}

/* How the token may begin for which element `i` stands, and those behind or before it where it may
 * be left out. */
static uint64_t begins_beside(const cue *c, size_t i, bool behind)
{
    uint64_t begins = 0;
    for (; i < c->n; i += behind ? 1 : SIZE_MAX) {
        const cue_element *e = &c->elements[i];
        if ((e->kind != CUE_WORDS && e->kind != CUE_CLAIM) || e->negated)
            return CUE_BESIDE_ANY;
        begins |= e->of ? e->of->begins : CUE_BESIDE_NONE;
        if (!e->optional)
            return begins;
    }
    return CUE_BESIDE_ANY;
}

static int check_cue(const row_reader *r, cue *c)
{
    size_t claims = 0, gaps = 0;
    for (size_t i = 0; i < c->n; i++) {
        const cue_element *e = &c->elements[i];
        claims += e->kind == CUE_CLAIM;
        gaps += e->kind == CUE_GAP;
        if (e->kind == CUE_START && i)
            return row_fault(r, "<start> stands at the beginning of a cue");
        if (e->optional && (e->kind == CUE_CLAIM || e->kind == CUE_GAP))
            return row_fault(r, "\"_\" and \"...\" stand without brackets");
    }
    if (claims > 1 || gaps > CUE_GAPS_MOST)
        return row_fault(r, "a cue has at most one \"_\" and %d \"...\"", CUE_GAPS_MOST);
    if (c->elements[0].kind == CUE_GAP || c->elements[c->n - 1].kind == CUE_GAP)
        return row_fault(r, "a cue has words on both sides of \"...\"");
    if (!choose_anchor(c))
        return row_fault(r, "a cue has a word that must stand there");
    c->reach = reach_of(c);
    c->before = begins_beside(c, c->anchor - 1, false);
    c->behind = begins_beside(c, c->anchor + 1, true);
    return RDV_OK;
}

int cue_read(const row_reader *r, rdv_str text, cue *out)
{
    rdv_str piece;
    cue_element elements[CUE_ELEMENTS_MOST];
    *out = (cue){0};
    while (row_next_piece(&text, ' ', &piece)) {
        if (!piece.len)
            continue;
        if (out->n == CUE_ELEMENTS_MOST)
            return row_fault(r, "a cue has at most %d words", CUE_ELEMENTS_MOST);
        int code = read_element(r, piece, &elements[out->n++]);
        if (code != RDV_OK)
            return code;
    }
    if (!out->n)
        return row_fault(r, "a cue is empty");
    if (!(out->elements = RDV_NEW_ARRAY(r->arena, cue_element, out->n)))
        return rdv_no_memory(r->err);
    memcpy(out->elements, elements, out->n * sizeof *elements);
    return check_cue(r, out);
}
