/* SPDX-License-Identifier: Apache-2.0 */
#include "study/source.h"

#include <rederive/data.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/members.h"
#include "study/study.h"

#include <stdio.h>

#define SHOWN_ID 80 /* bytes of an id in a message */

/* ---- sources --------------------------------------------------------------------------------- */

void sources_init(study_sources *sources, rdv_arena *arena)
{
    *sources = (study_sources){.arena = arena};
    rdv_map_init(&sources->by_name, arena);
}

/* Copies a text; an absent one stays absent. */
static bool copy(rdv_arena *arena, rdv_str *text)
{
    if (text->p)
        *text = rdv_str_copy(arena, *text);
    return text->p != NULL;
}

static bool copy_source(rdv_arena *arena, const study_source *from, study_source *to)
{
    *to = *from;
    return (copy(arena, &to->generator) || !from->generator.p) &&
           (copy(arena, &to->checker) || !from->checker.p) &&
           (copy(arena, &to->profile) || !from->profile.p) &&
           (copy(arena, &to->group) || !from->group.p);
}

/* A text that differs between any two sources: each part with its length. */
static rdv_str key_of(const study_source *s, rdv_arena *arena)
{
    return rdv_str_printf(arena, "%d%zu:%.*s%d%zu:%.*s%d%zu:%.*s%d%.*s", s->generator.p != NULL,
                          s->generator.len, RDV_FMT(s->generator), s->checker.p != NULL,
                          s->checker.len, RDV_FMT(s->checker), s->profile.p != NULL, s->profile.len,
                          RDV_FMT(s->profile), s->group.p != NULL, RDV_FMT(s->group));
}

static bool same_text(rdv_str a, rdv_str b)
{
    return (a.p == NULL) == (b.p == NULL) && rdv_str_eq(a, b);
}

static bool is_same(const study_source *a, const study_source *b)
{
    return same_text(a->generator, b->generator) && same_text(a->checker, b->checker) &&
           same_text(a->profile, b->profile) && same_text(a->group, b->group);
}

int sources_find(study_sources *sources, const study_source *source, size_t *out, rdv_error *err)
{
    *out = sources->latest;
    if (sources->n > 0 && is_same(source, &sources->of[sources->latest]))
        return RDV_OK;
    rdv_mark mark = rdv_arena_mark(sources->arena);
    rdv_str key = key_of(source, sources->arena);
    if (!key.p)
        return rdv_no_memory(err);
    *out = rdv_map_get(&sources->by_name, key);
    if (*out != RDV_MAP_MISSING) {
        rdv_arena_rewind(sources->arena, mark);
        sources->latest = *out;
        return RDV_OK;
    }
    if (sources->n == SOURCES_MAX)
        return rdv_fail(err, RDV_E_LIMIT,
                        "more than %d sources: generators, checkers, profiles and groups",
                        SOURCES_MAX);
    if (!RDV_PUSH_ROOM(sources->arena, sources->of, sources->n, sources->cap) ||
        !copy_source(sources->arena, source, &sources->of[sources->n]) ||
        rdv_map_put(&sources->by_name, key, sources->n) < 0)
        return rdv_no_memory(err);
    *out = sources->latest = sources->n++;
    return RDV_OK;
}

int source_of_chain(const rdv_study *study, const study_chain *one, study_source *out,
                    rdv_error *err)
{
    const rdv_chain *chain = one->chain;
    *out = (study_source){0};
    if (rdv_chain_text(chain, RDV_STR("generator"), one->scratch, &out->generator) < 0 ||
        rdv_chain_text(chain, RDV_STR("checker"), one->scratch, &out->checker) < 0 ||
        rdv_chain_text(chain, RDV_STR("profile"), one->scratch, &out->profile) < 0 ||
        rdv_chain_text(chain, rdv_str_of(study->options.group), one->scratch, &out->group) < 0)
        return rdv_no_memory(err);
    return RDV_OK;
}

study_source source_of_check(const study_source *chain, const rdv_check *check)
{
    study_source source = *chain;
    if (check && check->checker.p) {
        source.checker = check->checker;
        source.profile = check->profile;
    }
    return source;
}

/* ---- cells ----------------------------------------------------------------------------------- */

rdv_cell *source_cells(rdv_cell *row, const study_source *source)
{
    *row++ = table_text(source->group);
    *row++ = table_text(source->generator);
    *row++ = table_text(source->checker);
    *row++ = table_text(source->profile);
    return row;
}

/* Whether two rows differ in a column. */
static bool differs(const rdv_study_table *t, size_t column)
{
    for (size_t r = 1; r < t->n_rows; r++) {
        rdv_str a = t->cells[column].text, b = t->cells[r * t->n_columns + column].text;
        if ((a.p == NULL) != (b.p == NULL) || !rdv_str_eq(a, b))
            return true;
    }
    return false;
}

int source_hide(rdv_study_table *table, const char *head, bool always, rdv_error *err)
{
    rdv_column *columns = RDV_NEW_ARRAY(table->arena, rdv_column, table->n_columns);
    if (!columns)
        return rdv_no_memory(err);
    memcpy(columns, table->columns, table->n_columns * sizeof *columns);
    for (size_t c = 0; c < table->n_columns; c++)
        if (columns[c].head && strcmp(columns[c].head, head) == 0 && (always || !differs(table, c)))
            columns[c].head = NULL;
    table->columns = columns;
    return RDV_OK;
}

int source_baseline(rdv_study_table *table, const char *asked, const char *why, rdv_error *err)
{
    size_t first = 0;
    bool any = false;
    while (first < table->n_columns &&
           !(table->columns[first].optional && strcmp(table->columns[first].name, "baseline") == 0))
        first++;
    if (first == table->n_columns)
        return RDV_OK;
    for (size_t r = 0; r < table->n_rows; r++)
        any |= table->cells[r * table->n_columns + first].text.p != NULL;
    if (asked && !any)
        return rdv_fail(err, RDV_NONE, "--baseline %.64s: nothing to compare: %s", asked, why);
    int r = RDV_OK;
    for (size_t c = first; r == RDV_OK && !any && c < table->n_columns; c++)
        if (table->columns[c].optional)
            r = source_hide(table, table->columns[c].head, true, err);
    return r;
}

/* ---- a chain that is read again -------------------------------------------------------------- */

static uint64_t add_text(uint64_t hash, rdv_str text)
{
    return text.p ? rdv_hash(text, hash) : hash + 1;
}

static uint64_t hash_chain(const rdv_chain *chain, bool by_id, uint64_t seed)
{
    uint64_t hash = add_text(add_text(seed, chain->question.id), chain->id);
    if (!chain->question.id.p)
        hash = add_text(hash, chain->question.text);
    if (by_id)
        return hash;
    for (size_t i = 0; i < chain->n_steps; i++)
        hash = add_text(hash, chain->steps[i]);
    return add_text(hash, chain->answer);
}

chain_identity identity_of(const rdv_chain *chain, bool by_id)
{
    return (chain_identity){{hash_chain(chain, by_id, 1), hash_chain(chain, by_id, 2)}};
}

int study_seen(rdv_study *study, const chain_identity *chain, size_t place, size_t item, size_t *at)
{
    rdv_str identity = {(const char *)chain->hash, sizeof chain->hash};
    rdv_digest key = rdv_digest_of(&study->seen, place, identity);
    return rdv_digest_map_add(&study->seen, key, item, at);
}

static void say_part(char *text, size_t size, const char *what, rdv_str name)
{
    size_t at = strlen(text);
    if (name.p && at < size)
        snprintf(text + at, size - at, ", %s %.*s", what, RDV_FMT(rdv_slice(name, 0, SHOWN_ID)));
}

int study_refuse_again(const study_chain *one, const study_source *source, rdv_str check,
                       rdv_error *err)
{
    rdv_str id = one->chain->id.p ? one->chain->id : one->chain->question.id;
    char cell[512] = "";
    say_part(cell, sizeof cell, "check", check);
    say_part(cell, sizeof cell, "generated by", source->generator);
    say_part(cell, sizeof cell, "checked by", source->checker);
    say_part(cell, sizeof cell, "profile", source->profile);
    say_part(cell, sizeof cell, "group", source->group);
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "chain \"%.*s\" was read before and would count twice%s; leave one of them "
                    "out, or give different chains different ids",
                    RDV_FMT(rdv_slice(id.p ? id : RDV_STR(""), 0, SHOWN_ID)), cell);
}

int study_refuse_seen(rdv_study *study, const study_chain *one, rdv_error *err)
{
    chain_identity identity = identity_of(one->chain, false);
    size_t place, item = study->seen.n, at = item;
    study_source by = {0};
    int r = source_of_chain(study, one, &by, err);
    by = (study_source){.generator = by.generator};
    if (r == RDV_OK)
        r = sources_find(&study->sources, &by, &place, err);
    if (r != RDV_OK || !one->chain->id.p)
        return r;
    if (study_seen(study, &identity, place * 2 + one->learned, item, &at) < 0)
        return rdv_no_memory(err);
    return at < item ? study_refuse_again(one, &by, (rdv_str){0}, err) : RDV_OK;
}
