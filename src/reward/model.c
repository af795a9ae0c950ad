/* SPDX-License-Identifier: Apache-2.0 */
/* Writing and reading model files. They are lines of ASCII, except for the texts of the card;
 * numbers whose bits matter are written as their bits, so that reading knows no locale and loses
 * nothing. */
#include "reward/model.h"
#include "reward/reward.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/utf8.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#define VERSION 2 /* 1 has no line "made" */
#define MAX_LINE ((size_t)4096)
#define CHECK_SEED 0x7265776172640001u

uint64_t model_check(rdv_str bytes)
{
    return rdv_hash(bytes, CHECK_SEED);
}

/* ---- writing --------------------------------------------------------------------------------- */

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* A text of the card on one line, as UTF-8, which reading asks for: what is none becomes '?', and a
 * long text ends with a whole character. */
static void put_text(rdv_buf *b, const char *name, rdv_str text)
{
    rdv_buf_printf(b, "%s ", name);
    for (size_t i = 0, len; i < text.len; i += len) {
        size_t valid = rdv_utf8_len(text, i);
        len = valid ? valid : 1;
        if (i + len > MAX_LINE / 2)
            break;
        if (valid > 1)
            rdv_buf_add(b, rdv_slice(text, i, i + len));
        else
            rdv_buf_add_char(b, !valid ? '?' : text.p[i] < ' ' ? ' ' : text.p[i]);
    }
    rdv_buf_add_char(b, '\n');
}

static void put_tree(rdv_buf *b, const forest *f, size_t i, const size_t *place)
{
    size_t first = f->roots[i], end = i + 1 < f->n_trees ? f->roots[i + 1] : f->n_nodes;
    rdv_buf_printf(b, "tree %zu\n", end - first);
    for (size_t k = first; k < end; k++) {
        const node *n = &f->nodes[k];
        if (n->feature == NO_FEATURE)
            rdv_buf_printf(b, "leaf %08" PRIx32 "\n", bits_of(n->at));
        else
            rdv_buf_printf(b, "%zu %08" PRIx32 " %08" PRIx32 " %zu %d\n", place[n->feature],
                           bits_of(n->at), bits_of(n->mean), n->left - first, n->missing_left);
    }
}

/* How many of N_FEATURES the trees ask, and which. */
static size_t reward_forest_features(const forest *f, bool *asked)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n_nodes; i++) {
        unsigned feature = f->nodes[i].feature;
        if (feature == NO_FEATURE || asked[feature])
            continue;
        asked[feature] = true;
        n++;
    }
    return n;
}

int model_write(const rdv_reward *model, rdv_arena *arena, rdv_str *out)
{
    const rdv_reward_card *card = &model->card;
    bool asked[N_FEATURES] = {0};
    size_t place[N_FEATURES], n_features, at = 0;
    const rdv_feature *features = rdv_features(&n_features);
    uint64_t bits;
    rdv_buf b;
    if (model->trees.n_nodes > MAX_NODES || model->trees.n_trees > MAX_TREES)
        return RDV_E_LIMIT;
    rdv_buf_init(&b, arena, 0);
    memcpy(&bits, &card->at, sizeof bits);
    rdv_buf_printf(&b, "rederive-reward %d\n", VERSION);
    put_text(&b, "name", card->name);
    put_text(&b, "sources", card->sources);
    put_text(&b, "made", card->made);
    rdv_buf_printf(&b, "trained %zu %zu\n", card->chains, card->steps);
    rdv_buf_printf(&b, "after %s\n", rdv_reward_after_name(card->after));
    rdv_buf_printf(&b, "rule %s %016" PRIx64 "\n", rdv_reward_rule_name(card->rule), bits);
    rdv_buf_printf(&b, "features %zu\n", reward_forest_features(&model->trees, asked));
    for (size_t i = 0; i < n_features; i++) {
        if (!asked[i])
            continue;
        place[i] = at++;
        rdv_buf_printf(&b, "%s\n", features[i].name);
    }
    rdv_buf_printf(&b, "trees %zu %zu\n", model->trees.n_trees, model->trees.n_nodes);
    for (size_t i = 0; i < model->trees.n_trees; i++)
        put_tree(&b, &model->trees, i, place);
    rdv_str all = rdv_buf_str(&b);
    if (!all.p)
        return RDV_E_NOMEM;
    rdv_buf_printf(&b, "check %016" PRIx64 "\n", model_check(all));
    *out = rdv_buf_str(&b);
    if (!out->p)
        return RDV_E_NOMEM;
    return out->len <= RDV_REWARD_MAX_BYTES ? RDV_OK : RDV_E_LIMIT;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reading {
    rdv_str rest;
    size_t line;
    rdv_error *err;
    bool failed;
} reading;

static rdv_str fail(reading *r, const char *why)
{
    if (!r->failed)
        rdv_fail(r->err, RDV_E_INPUT, "line %zu: %s; train the model again", r->line, why);
    r->failed = true;
    return (rdv_str){"", 0};
}

/* The next line; empty once reading has failed. */
static rdv_str next_line(reading *r)
{
    rdv_str line;
    if (r->failed)
        return (rdv_str){"", 0};
    r->line++;
    if (!r->rest.len || !rdv_next_line(&r->rest, &line))
        return fail(r, "the model ends too early");
    return line.len > MAX_LINE ? fail(r, "the line is too long") : line;
}

/* The next word of *line, which loses it. */
static rdv_str word(rdv_str *line)
{
    size_t end = rdv_find_char(*line, ' ', 0);
    rdv_str w = rdv_slice(*line, 0, end);
    *line = end == RDV_NOT_FOUND ? (rdv_str){"", 0} : rdv_slice(*line, end + 1, line->len);
    return w;
}

/* The rest of a line that begins with `name`. */
static rdv_str line_of(reading *r, const char *name)
{
    rdv_str line = next_line(r);
    rdv_str first = word(&line);
    if (!r->failed && !rdv_str_eq(first, rdv_str_of(name)))
        return fail(r, "this is not the line that a model has here");
    return line;
}

static size_t read_size(reading *r, rdv_str *line, size_t most)
{
    rdv_str w = word(line);
    size_t n = 0;
    for (size_t i = 0; i < w.len; i++) {
        if (!rdv_is_digit(w.p[i]) || n > most / 10) {
            fail(r, "a number is wrong or too large");
            return 0;
        }
        n = n * 10 + (size_t)(w.p[i] - '0');
    }
    if (!r->failed && (!w.len || n > most))
        fail(r, "a number is missing or too large");
    return r->failed ? 0 : n;
}

static uint64_t read_hex(reading *r, rdv_str *line, size_t digits)
{
    rdv_str w = word(line);
    uint64_t x = 0;
    bool well = w.len == digits;
    for (size_t i = 0; i < w.len && well; i++) {
        char c = w.p[i];
        well = rdv_is_digit(c) || (c >= 'a' && c <= 'f');
        x = x << 4 | (uint64_t)(rdv_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    if (!r->failed && !well)
        fail(r, "a number in hexadecimal is wrong");
    return r->failed ? 0 : x;
}

#define MAX_VALUE 1e6f /* of a leaf, so that no sum of them overflows */

static float read_float(reading *r, rdv_str *line, float most)
{
    uint32_t bits = (uint32_t)read_hex(r, line, 8);
    float x;
    memcpy(&x, &bits, sizeof x);
    if (!r->failed && !(fabsf(x) <= most))
        fail(r, "a number is out of bounds");
    return r->failed ? 0 : x;
}

static rdv_str read_text(reading *r, const char *name, rdv_arena *arena)
{
    rdv_str line = line_of(r, name);
    if (!r->failed && rdv_utf8_valid(line) != line.len)
        fail(r, "the text is not UTF-8");
    rdv_str text = rdv_str_copy(arena, line);
    if (!text.p && !r->failed) {
        rdv_no_memory(r->err);
        r->failed = true;
    }
    return text;
}

static void read_rule(reading *r, rdv_reward_card *card)
{
    rdv_str line = line_of(r, "after");
    if (rdv_str_eq(line, RDV_STR("left-out")))
        card->after = RDV_AFTER_LEFT_OUT;
    else if (!rdv_str_eq(line, RDV_STR("wrong")))
        fail(r, "there is no such treatment of later steps");
    line = line_of(r, "rule");
    rdv_str rule = word(&line);
    if (rdv_str_eq(rule, RDV_STR("hazard")))
        card->rule = RDV_RULE_HAZARD;
    else if (!rdv_str_eq(rule, RDV_STR("threshold")))
        fail(r, "there is no such rule");
    uint64_t bits = read_hex(r, &line, 16);
    memcpy(&card->at, &bits, sizeof bits);
    if (!(card->at >= 0 && card->at <= 1))
        fail(r, "the rule's number is not in [0,1]");
}

static void read_card(reading *r, rdv_reward *m)
{
    rdv_str line = line_of(r, "rederive-reward");
    if (r->failed)
        return;
    size_t version = read_size(r, &line, 1000000);
    if (version < 1 || version > VERSION)
        fail(r, "the model is of another version");
    m->card.name = read_text(r, "name", m->arena);
    m->card.sources = read_text(r, "sources", m->arena);
    m->card.made = version < 2 ? RDV_STR("") : read_text(r, "made", m->arena);
    line = line_of(r, "trained");
    m->card.chains = read_size(r, &line, SIZE_MAX / 16);
    m->card.steps = read_size(r, &line, SIZE_MAX / 16);
    read_rule(r, &m->card);
}

/* The features by their names, into place[]. */
static size_t read_features(reading *r, uint16_t *place)
{
    rdv_str line = line_of(r, "features");
    size_t n = read_size(r, &line, N_FEATURES);
    for (size_t i = 0; i < n && !r->failed; i++) {
        rdv_str name = next_line(r);
        size_t at = reward_feature_named(name);
        if (at == N_FEATURES && !r->failed) {
            rdv_fail(r->err, RDV_E_INPUT,
                     "line %zu: the model asks for the feature \"%.*s\", which this version does "
                     "not measure; train it again",
                     r->line, RDV_FMT(rdv_slice(name, 0, 40)));
            r->failed = true;
        }
        place[i] = (uint16_t)at;
    }
    return n;
}

static void read_split(reading *r, rdv_str first, rdv_str line, const uint16_t *place, size_t n,
                       size_t at, size_t size, node *out)
{
    size_t feature = read_size(r, &first, n ? n - 1 : 0);
    out->feature = n ? place[feature] : 0;
    out->at = read_float(r, &line, FLT_MAX);
    out->mean = read_float(r, &line, MAX_VALUE);
    size_t left = read_size(r, &line, MAX_NODES);
    out->missing_left = read_size(r, &line, 1) == 1;
    out->left = (uint32_t)left;
    if (!r->failed && (!n || left <= at || left + 1 >= size))
        fail(r, "a tree does not go on behind the split");
}

/* Children stand after their parents, so every walk ends. */
static void read_tree(reading *r, forest *f, size_t room, const uint16_t *place, size_t n)
{
    rdv_str line = line_of(r, "tree");
    size_t size = read_size(r, &line, room);
    size_t first = f->n_nodes;
    for (size_t i = 0; i < size && !r->failed; i++) {
        node *out = &f->nodes[first + i];
        line = next_line(r);
        rdv_str head = word(&line);
        *out = (node){.feature = NO_FEATURE};
        if (rdv_str_eq(head, RDV_STR("leaf")))
            out->at = out->mean = read_float(r, &line, MAX_VALUE);
        else
            read_split(r, head, line, place, n, i, size, out);
        out->left += (uint32_t)first;
    }
    f->roots[f->n_trees++] = (uint32_t)first;
    f->n_nodes = first + size;
    if (!size)
        fail(r, "a tree has no node");
}

static int read_forest(reading *r, rdv_reward *m, const uint16_t *place, size_t n)
{
    forest *f = &m->trees;
    rdv_str line = line_of(r, "trees");
    size_t trees = read_size(r, &line, MAX_TREES), nodes = read_size(r, &line, MAX_NODES);
    /* A node takes at least ten bytes: no more are made room for than the file can hold. */
    if (!r->failed && (trees > r->rest.len || nodes > r->rest.len / 10))
        fail(r, "there are fewer trees than are said");
    if (r->failed)
        return RDV_E_INPUT;
    f->nodes = RDV_NEW_ARRAY(m->arena, node, nodes);
    f->roots = RDV_NEW_ARRAY(m->arena, uint32_t, trees);
    if (!f->nodes || !f->roots)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < trees && !r->failed; i++)
        read_tree(r, f, nodes - f->n_nodes, place, n);
    if (!r->failed && f->n_nodes != nodes)
        fail(r, "there are fewer nodes than are said");
    return r->failed ? RDV_E_INPUT : RDV_OK;
}

static int read_model(reading *r, rdv_reward *m, rdv_str bytes)
{
    uint16_t place[N_FEATURES];
    read_card(r, m);
    size_t n = read_features(r, place);
    int code = read_forest(r, m, place, n);
    if (code == RDV_E_NOMEM)
        return rdv_fail(r->err, code, "out of memory while reading a model");
    rdv_str before = rdv_slice(bytes, 0, bytes.len - r->rest.len);
    rdv_str line = line_of(r, "check");
    if (read_hex(r, &line, 16) != model_check(before) && !r->failed)
        fail(r, "the model is damaged: its checksum is another");
    if (!r->failed && !rdv_ends(bytes, RDV_STR("\n")))
        fail(r, "the model ends too early");
    if (!r->failed && r->rest.len)
        fail(r, "something stands behind the end of the model");
    m->card.features = n;
    m->card.trees = m->trees.n_trees;
    m->card.nodes = m->trees.n_nodes;
    return r->failed ? (r->err && r->err->code ? r->err->code : RDV_E_INPUT) : RDV_OK;
}

int rdv_reward_read(rdv_str bytes, rdv_reward **out, rdv_error *err)
{
    *out = NULL;
    if (bytes.len > RDV_REWARD_MAX_BYTES)
        return rdv_fail(err, RDV_E_LIMIT, "a model has at most %zu bytes", RDV_REWARD_MAX_BYTES);
    if (!rdv_starts(bytes, RDV_STR("rederive-reward ")))
        return rdv_fail(err, RDV_E_INPUT, "this is no reward model: 'rederive train' writes them");
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reward *m = arena ? RDV_NEW(arena, rdv_reward) : NULL;
    if (!m) {
        rdv_arena_free(&arena);
        return rdv_no_memory(err);
    }
    *m = (rdv_reward){.arena = arena};
    rdv_error own = {0};
    reading r = {.rest = bytes, .err = &own};
    int code = read_model(&r, m, bytes);
    if (code < 0) {
        rdv_fail(err, code, "%s", own.msg);
        rdv_arena_free(&arena);
        return code;
    }
    *out = m;
    return RDV_OK;
}
