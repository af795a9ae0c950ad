/* SPDX-License-Identifier: Apache-2.0 */
#include "data/places.h"

#include "base/arena.h"
#include "base/str.h"
#include "data/scan.h"

#define MARK_EVERY ((size_t)4096)

/* ---- lines and columns ----------------------------------------------------------------------- */

void rdv_place_pass(rdv_place *place, const char *p, size_t n)
{
    const char *end = n ? p + n : p, *newline; /* `p` may be NULL then */
    place->offset += n;
    while (p < end && (newline = memchr(p, '\n', (size_t)(end - p)))) {
        place->line++;
        place->column = 1;
        p = newline + 1;
    }
    for (; p < end; p++)
        place->column += ((unsigned char)*p & 0xc0) != 0x80;
}

void rdv_place_finder_init(rdv_place_finder *f, const rdv_origin *origin, rdv_arena *arena)
{
    *f = (rdv_place_finder){.origin = origin, .arena = arena, .here = origin->begin};
}

/* The place of byte `at` of the origin. Bytes are asked for in about their order; a byte before the
 * last is found from the mark before it. */
static bool place_at(rdv_place_finder *f, size_t at, rdv_place *out)
{
    const char *p = f->origin->bytes.p;
    if (at < f->at) {
        size_t mark = at / MARK_EVERY;
        f->at = mark * MARK_EVERY;
        f->here = f->marks[mark];
    }
    for (;;) {
        if (f->at % MARK_EVERY == 0 && f->at / MARK_EVERY == f->n) {
            if (!RDV_PUSH_ROOM(f->arena, f->marks, f->n, f->cap))
                return false;
            f->marks[f->n++] = f->here;
        }
        if (f->at == at)
            break;
        size_t next = (f->at / MARK_EVERY + 1) * MARK_EVERY;
        size_t end = at < next ? at : next;
        rdv_place_pass(&f->here, p + f->at, end - f->at);
        f->at = end;
    }
    *out = f->here;
    return true;
}

/* ---- texts in JSON --------------------------------------------------------------------------- */

typedef struct cursor {
    rdv_str raw;
    size_t at;
} cursor;

static char next_char(cursor *c)
{
    c->at = rdv_skip_any(c->raw, c->at, " \t\r\n,:");
    return rdv_char_at(c->raw, c->at);
}

/* Bytes of the escape at the cursor: "\n", "\u00e9", or a pair of the latter. */
static size_t escape_length(const cursor *c)
{
    bool unit = rdv_char_at(c->raw, c->at + 1) == 'u';
    char first = rdv_lower(rdv_char_at(c->raw, c->at + 2));
    char second = rdv_lower(rdv_char_at(c->raw, c->at + 3));
    bool pair = first == 'd' && (second == '8' || second == '9' || second == 'a' || second == 'b');
    return !unit ? 2 : pair ? 12 : 6;
}

static size_t character_length(char first)
{
    unsigned char c = (unsigned char)first;
    return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

/* The string at the cursor, whose opening quote it stands at, decodes to `text`; NULL: it is
 * passed. */
static void note_text(rdv_copies *log, cursor *c, const char *text)
{
    size_t to = 0;
    for (c->at++; c->at < c->raw.len && c->raw.p[c->at] != '"';) {
        size_t plain = rdv_scan_plain(c->raw, c->at), n = plain - c->at;
        if (text)
            rdv_copies_add(log, text + to, n, c->raw.p + c->at, n);
        to += n;
        c->at = plain;
        if (rdv_char_at(c->raw, c->at) != '\\')
            continue;
        size_t length = escape_length(c);
        if (text) {
            n = character_length(text[to]);
            rdv_copies_add(log, text + to, n, c->raw.p + c->at, length);
            to += n;
        }
        c->at += length;
    }
    c->at++;
}

/* The value at the cursor. Its depth was limited when it was read. */
static void note_value(rdv_copies *log, cursor *c, const json_t *value)
{
    char first = next_char(c);
    if (first == '"') {
        note_text(log, c, json_string_value(value));
        return;
    }
    if (first != '[' && first != '{') {
        while (c->at < c->raw.len && !strchr(",]} \t\r\n", c->raw.p[c->at]))
            c->at++;
        return;
    }
    c->at++;
    void *member = json_object_iter((json_t *)value);
    for (size_t i = 0; next_char(c) != (first == '[' ? ']' : '}') && c->at < c->raw.len; i++) {
        if (first == '{') {
            note_text(log, c, NULL); /* the members come in their order */
            note_value(log, c, json_object_iter_value(member));
            member = json_object_iter_next((json_t *)value, member);
        } else {
            note_value(log, c, json_array_get(value, i));
        }
    }
    c->at++;
}

void rdv_places_note(rdv_copies *log, rdv_str raw, const json_t *value)
{
    cursor c = {raw, 0};
    note_value(log, &c, value);
}

/* ---- steps ----------------------------------------------------------------------------------- */

typedef struct making {
    rdv_place_finder *finder;
    rdv_copies *log;
    rdv_arena *arena;
} making;

static bool add_piece(making *m, rdv_step_pieces *pieces, size_t at, size_t n,
                      const rdv_copied *from)
{
    const char *origin = m->finder->origin->bytes.p;
    rdv_step_piece *last = pieces->n ? &pieces->items[pieces->n - 1] : NULL;
    uint64_t offset = m->finder->origin->begin.offset + (uint64_t)(from->from - origin);
    bool each = from->n == from->from_n;
    if (last && each && last->n == last->from_n && last->at + last->n == at &&
        last->begin.offset + last->n == offset) {
        last->n += n;
        last->from_n += n;
        return true;
    }
    if (!RDV_PUSH_ROOM(m->arena, pieces->items, pieces->n, pieces->cap))
        return false;
    rdv_step_piece *piece = &pieces->items[pieces->n++];
    *piece = (rdv_step_piece){.at = at, .n = n, .from_n = each ? n : from->from_n};
    return place_at(m->finder, (size_t)(from->from - origin), &piece->begin);
}

static bool find_step(making *m, rdv_str step, rdv_step_pieces *pieces)
{
    rdv_copied from;
    for (size_t i = 0; i < step.len;) {
        if (!rdv_copies_trace(m->log, step.p + i, m->finder->origin->bytes, &from)) {
            i++;
            continue;
        }
        size_t n = (size_t)(from.to + from.n - (step.p + i));
        if (n > step.len - i)
            n = step.len - i;
        if (!add_piece(m, pieces, i, n, &from))
            return false;
        i += n;
    }
    return true;
}

int rdv_places_make(rdv_place_finder *f, rdv_copies *log, const rdv_chain *chain, rdv_str part,
                    rdv_arena *arena, const struct rdv_places **out, rdv_error *err)
{
    making m = {f, log, arena};
    struct rdv_places *places = RDV_NEW(arena, struct rdv_places);
    rdv_step_pieces *steps = RDV_NEW_ARRAY(arena, rdv_step_pieces, chain->n_steps);
    bool failed = log->failed || (log->under && log->under->failed);
    if (!places || !steps || failed)
        return rdv_no_memory(err);
    *places = (struct rdv_places){.part = rdv_str_copy(arena, part),
                                  .begin = f->origin->begin,
                                  .texts = chain->steps,
                                  .steps = steps,
                                  .n = chain->n_steps};
    if (part.p && !places->part.p)
        return rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_steps; i++)
        if (!find_step(&m, chain->steps[i], &steps[i]))
            return rdv_no_memory(err);
    if (!part.p)
        places->part = (rdv_str){0};
    *out = places;
    return RDV_OK;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* The piece that holds byte `at` of the step; NULL: none. */
static const rdv_step_piece *piece_of(const rdv_step_pieces *pieces, size_t at)
{
    size_t low = 0, high = pieces->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pieces->items[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    const rdv_step_piece *piece = low ? &pieces->items[low - 1] : NULL;
    return piece && at < piece->at + piece->n ? piece : NULL;
}

/* Where byte `at` of a step begins, or (`behind`) ends. */
static bool place_of(const struct rdv_places *places, size_t step, size_t at, bool behind,
                     rdv_place *out)
{
    const rdv_step_piece *piece = piece_of(&places->steps[step], at);
    if (!piece)
        return false;
    *out = piece->begin;
    if (piece->n == piece->from_n) {
        rdv_place_pass(out, places->texts[step].p + piece->at, at - piece->at + behind);
    } else if (behind) { /* an escape, which is ASCII */
        out->offset += piece->from_n;
        out->column += piece->from_n;
    }
    return true;
}

bool rdv_places_of(const struct rdv_places *places, size_t step, size_t begin, size_t end,
                   rdv_place *from, rdv_place *to)
{
    return places && step < places->n && end > begin && end <= places->texts[step].len &&
           place_of(places, step, begin, false, from) && place_of(places, step, end - 1, true, to);
}
