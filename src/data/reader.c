/* SPDX-License-Identifier: Apache-2.0 */
/* From a stream to records: each record is recognised and made into its chains, one after the
 * other. */
#include "data/reader.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/options.h"
#include "base/str.h"
#include "data/carry.h"
#include "data/format/formats.h"
#include "data/join.h"
#include "data/left_out.h"
#include "data/mapping.h"
#include "data/nonfinite.h"
#include "data/pair.h"
#include "data/record_stream.h"
#include "data/write.h"
#include "grade/chain/chain_answer.h"

#include <rederive/answer.h>
#include <stdlib.h>

#define NONFINITE "NaN and Infinity are no JSON; each is read as null"

struct rdv_reader {
    rdv_arena *kept;          /* lives as long as the reader: names and what was joined */
    rdv_arena *record;        /* the members of the current record; reset for each */
    rdv_read_options options; /* their texts are borrowed */
    rdv_mapping mapping;
    rdv_record_stream stream;
    rdv_json_span span; /* of the current record */
    bool cut;           /* the span's text is in the arena that the chain goes to */
    rdv_copies decoded; /* how the record's values were made, where places are asked for */
    rdv_copies copies;  /* that the reading of the current chain made of them */
    rdv_place_finder finder; /* of the places in the record */
    rdv_limits limits;
    const rdv_format *wanted; /* NULL: recognise */
    const char *path, *set;   /* NULL: one record in memory, which has no file */
    rdv_joined joined;
    bool joins;
    bool check_reasoning;
    rdv_notes own_notes, *notes;
    size_t records;  /* begun so far */
    size_t number;   /* of the current record, from 1 */
    bool recognised; /* one of them, at least */
    rdv_str *held;   /* the faults of those before it, for which no form was found */
    size_t n_held, cap_held, told;
    rdv_str first_members;                 /* of the first of them */
    const char *lacked_path, *lacked_part; /* of the latest of them; NULL: it was no path */

    rdv_members members; /* of the current record */
    const rdv_format *format;
    bool pair;           /* it is one, whatever its format */
    size_t chains, next; /* that it gives, and the next of them */

    rdv_error fault; /* the final one, once there is one */
};

/* ---- opening --------------------------------------------------------------------------------- */

static size_t or_default(size_t value, size_t otherwise)
{
    return value ? value : otherwise;
}

static rdv_limits limits_of(const rdv_read_options *o)
{
    rdv_limits limits = {.record_bytes = or_default(o->max_record_bytes, RDV_MAX_RECORD_BYTES),
                         .depth = or_default(o->max_depth, RDV_MAX_DEPTH),
                         .steps = or_default(o->max_steps, RDV_MAX_STEPS),
                         .members = or_default(o->max_members, RDV_MAX_MEMBERS)};
    if (limits.depth > RDV_MAX_DEPTH)
        limits.depth = RDV_MAX_DEPTH;
    return limits;
}

static int set_up(rdv_reader *r, const rdv_read_options *o, rdv_error *err)
{
    r->record = rdv_arena_new(0);
    if (!r->record)
        return rdv_no_memory(err);
    r->limits = limits_of(o);
    r->check_reasoning = o->check_reasoning;
    r->notes = &r->own_notes;
    r->own_notes = (rdv_notes){.tell = o->note,
                               .payload = o->note_payload,
                               .path = r->path,
                               .left_out = o->notes_left_out};
    r->options = *o;
    int rc = rdv_mapping_read(&r->mapping, o, r->kept ? r->kept : r->record, err);
    if (rc != RDV_OK)
        return rc;
    if (o->format && !(r->wanted = rdv_format_named(o->format)))
        return rdv_fail(err, RDV_E_ARGUMENT, "there is no format \"%.80s\"", o->format);
    return RDV_OK;
}

static int set_up_file(rdv_reader *r, const char *path, const rdv_read_options *o, rdv_error *err)
{
    r->kept = rdv_arena_new(0);
    if (!r->kept)
        return rdv_no_memory(err);
    r->path = rdv_cstring(r->kept, rdv_str_of(strcmp(path, "-") == 0 ? "standard input" : path));
    r->set = o->name ? rdv_cstring(r->kept, rdv_str_of(o->name)) : rdv_set_name(r->kept, path);
    if (!r->path || !r->set)
        return rdv_no_memory(err);
    int set = set_up(r, o, err);
    if (set != RDV_OK)
        return set;
    rdv_joined_init(&r->joined, r->kept);
    r->joins = o->n_join > 0;
    for (size_t i = 0; i < o->n_join; i++) {
        int rc = rdv_joined_read(&r->joined, o->join[i], &r->limits, err);
        if (rc != RDV_OK)
            return rc;
    }
    return RDV_OK;
}

/* Takes over `bytes`. */
static int open_bytes(rdv_reader **reader, rdv_bytes *bytes, const char *path,
                      const rdv_read_options *options, rdv_error *err)
{
    rdv_read_options o = {.size = sizeof o};
    rdv_reader *r = calloc(1, sizeof *r);
    if (!r) {
        rdv_bytes_close(&bytes);
        return rdv_no_memory(err);
    }
    int rc = rdv_record_stream_init(&r->stream, bytes, err);
    if (rc == RDV_OK)
        rc = rdv_options_take(&o, sizeof o, options, err);
    if (rc == RDV_OK)
        rc = set_up_file(r, path, &o, err);
    r->stream.path = r->path;
    r->stream.set = r->set;
    r->stream.options = &r->options;
    r->stream.limits = &r->limits;
    r->stream.mapping = &r->mapping;
    if (rc != RDV_OK)
        rdv_reader_close(&r);
    *reader = r;
    return rc;
}

int rdv_reader_open(const char *path, const rdv_read_options *options, rdv_reader **reader,
                    rdv_error *err)
{
    *reader = NULL;
    rdv_bytes *bytes;
    int rc = rdv_bytes_open(&bytes, path, err);
    return rc == RDV_OK ? open_bytes(reader, bytes, path, options, err) : rc;
}

int rdv_reader_open_source(rdv_source source, const char *name, const rdv_read_options *options,
                           rdv_reader **reader, rdv_error *err)
{
    *reader = NULL;
    rdv_bytes *bytes;
    int rc = rdv_bytes_open_source(&bytes, source, err);
    return rc == RDV_OK ? open_bytes(reader, bytes, name, options, err) : rc;
}

uint64_t rdv_reader_taken(const rdv_reader *reader)
{
    return rdv_record_stream_taken(&reader->stream);
}

void rdv_reader_close(rdv_reader **reader)
{
    if (!reader || !*reader)
        return;
    rdv_members_free(&(*reader)->members);
    rdv_record_stream_free(&(*reader)->stream);
    rdv_arena_free(&(*reader)->record);
    rdv_arena_free(&(*reader)->kept);
    free(*reader);
    *reader = NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *how_to_map(const rdv_reader *r)
{
    if (r->options.pairs)
        return "name its parts with --gold-from and --answer-from or --text-from "
               "(docs/answers.md), or its format";
    return "name its parts with --question-from and --steps-from, and --gold-from and --id-from if "
           "it has them (docs/your-data.md), or its format";
}

/* A fault of the current record, with the place; `column` 0: only the line is known, which a record
 * in memory does not need. */
static int fail_at(rdv_reader *r, size_t line, size_t column, int rc, rdv_error *why,
                   rdv_error *err)
{
    rdv_str part = rdv_str_head(r->span.part, 100);
    if (rc == RDV_E_FORMAT && !part.p)
        rdv_wrap(why, rc, "%s", r->path);
    else if (part.p && line == 1 && column <= 1)
        rdv_wrap(why, rc, "%s: %.*s", r->path, RDV_FMT(part));
    else if (part.p)
        rdv_wrap(why, rc, "%s: %.*s:%zu:%zu", r->path, RDV_FMT(part), line, column);
    else if (!r->path && column)
        rdv_wrap(why, rc, "line %zu, column %zu", line, column);
    else if (column)
        rdv_wrap(why, rc, "%s:%zu:%zu", r->path, line, column);
    else if (r->path)
        rdv_wrap(why, rc, "%s:%zu", r->path, line);
    if (rc != RDV_E_INPUT && rc != RDV_E_LIMIT)
        r->fault = *why;
    return rdv_fail(err, rc, "%s", why->msg);
}

/* "a, b, ..." of the current record. */
static rdv_str member_names(rdv_reader *r, rdv_arena *arena)
{
    rdv_buf names;
    rdv_buf_init(&names, arena, 0);
    rdv_buf_lit(&names, "");
    for (size_t i = 0; i < r->members.n && i < 6; i++)
        rdv_buf_printf(&names, "%s%.*s", i ? ", " : "",
                       RDV_FMT(rdv_slice(r->members.items[i].name, 0, 30)));
    return rdv_buf_str(&names);
}

/* Whether jq takes the name as it is: letters, digits and '_'. */
static bool is_plain_name(rdv_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!(rdv_is_alpha(name.p[i]) || name.p[i] == '_' || (i && rdv_is_digit(name.p[i]))))
            return false;
    return name.len > 0 && name.len <= 60;
}

/* The name of the current record's only list of objects, which may be the records themselves; p ==
 * NULL: it has none, or several. */
static rdv_str only_list(const rdv_reader *r)
{
    rdv_str found = {0};
    for (size_t i = 0; i < r->members.n; i++) {
        rdv_str value = r->members.items[i].raw;
        bool list = rdv_starts(value, RDV_STR("[")) &&
                    rdv_starts(rdv_trim(rdv_slice(value, 1, value.len)), RDV_STR("{"));
        if (list && found.p)
            return (rdv_str){0};
        if (list)
            found = r->members.items[i].name;
    }
    return is_plain_name(found) ? found : (rdv_str){0};
}

/* Why the current record cannot be read, if there is a reason before its format is asked: no known
 * form, or a path that it lacks. */
static int find_reason(rdv_reader *r, rdv_error *why)
{
    const char *part, *path = rdv_mapping_lacks(&r->mapping, &r->members, &part);
    r->lacked_path = path;
    r->lacked_part = part;
    if (!path && (r->format || r->pair || r->mapping.steps.text || r->mapping.question.text))
        return RDV_OK;
    rdv_str names = member_names(r, r->record);
    if (path)
        return rdv_fail(why, RDV_E_INPUT,
                        "the path of the %s, \"%.80s\", is not in the record "
                        "(members: %.*s)",
                        part, path, RDV_FMT(names));
    rdv_str list = only_list(r);
    if (list.p)
        return rdv_fail(why, RDV_E_INPUT,
                        "no known form of record (members: %.*s); if its list \"%.*s\" holds the "
                        "records, take them out: jq -c '.%.*s[]' FILE | rederive check",
                        RDV_FMT(names), RDV_FMT(list), RDV_FMT(list));
    return rdv_fail(why, RDV_E_INPUT, "no known form of record (members: %.*s); %s", RDV_FMT(names),
                    how_to_map(r));
}

/* Keep a fault of the current record back, since nothing in the file was recognised so far. */
static int hold_fault(rdv_reader *r, const rdv_error *why, rdv_error *err)
{
    rdv_error placed = *why;
    fail_at(r, r->span.line, 0, RDV_E_INPUT, &placed, err);
    rdv_str message = rdv_str_copy(r->kept, rdv_str_of(placed.msg));
    if (r->n_held == 0)
        r->first_members = member_names(r, r->kept);
    if (!message.p || !r->first_members.p ||
        !RDV_PUSH_ROOM(r->kept, r->held, r->n_held, r->cap_held))
        return rdv_no_memory(err);
    r->held[r->n_held++] = message;
    return RDV_OK;
}

/* Nothing in the file was recognised: one line for all of it. */
static int fail_file(rdv_reader *r, rdv_error *err)
{
    bool table = r->stream.look.kind == RDV_FILE_TABLE;
    const char *rows = table ? "rows" : "records";
    const char *first = r->n_held == RDV_MAX_UNKNOWN ? "first " : "";
    if (r->n_held == 1)
        rdv_fail(&r->fault, RDV_E_FORMAT, "%.*s", RDV_FMT(r->held[0]));
    else if (r->lacked_path)
        rdv_fail(&r->fault, RDV_E_FORMAT,
                 "%s: the path of the %s, \"%.80s\", is in none of its %s%zu %s (members of the "
                 "first: %.*s)",
                 r->path, r->lacked_part, r->lacked_path, first, r->n_held, rows,
                 RDV_FMT(r->first_members));
    else
        rdv_fail(&r->fault, RDV_E_FORMAT, "%s: no known form in any of its %s%zu %s (%s: %.*s); %s",
                 r->path, first, r->n_held, rows, table ? "columns" : "members of the first",
                 RDV_FMT(r->first_members), how_to_map(r));
    return rdv_fail(err, r->fault.code, "%s", r->fault.msg);
}

/* Whether the places of the steps are to be kept, and can be. */
static bool keeps_places(const rdv_reader *r)
{
    return r->options.places && r->span.origin.bytes.p;
}

static rdv_chain_builder builder(rdv_reader *r, rdv_arena *arena, rdv_record *out)
{
    rdv_chain_builder m = {.in = &r->members,
                           .out = out,
                           .chain = &out->chain,
                           .arena = arena,
                           .set = r->set,
                           .number = r->number - 1,
                           .index = r->next,
                           .chains = r->chains,
                           .joined = r->joins ? &r->joined : NULL,
                           .limits = &r->limits,
                           .check_reasoning = r->check_reasoning,
                           .evidence_numbers = r->options.evidence_numbers,
                           .notes = r->notes,
                           .copies = keeps_places(r) ? &r->decoded : NULL};
    rdv_buf_init(&m.extra, r->record, 0);
    return m;
}

/* Divide r->span into its members, in `arena`, and recognise what it is. RDV_NONE: it is no known
 * form of record, which is told with the file's next one that is. */
static int recognise_span(rdv_reader *r, rdv_arena *arena, rdv_error *err)
{
    rdv_error why = {0};
    size_t at;
    rdv_place_finder_init(&r->finder, &r->span.origin, r->record);
    rdv_copies_init(&r->decoded, r->record);
    r->decoded.under = r->span.origin.copies;
    int rc = rdv_members_read(&r->members, r->span.text, &r->limits, arena, &at, &why);
    if (rc != RDV_OK) {
        rdv_json_span place = r->span;
        if (place.column)
            rdv_json_span_advance(&place, at);
        return fail_at(r, place.line, place.column, rc, &why, err);
    }
    rc = rdv_members_version(&r->members, &why);
    if (rc != RDV_OK)
        return fail_at(r, r->span.line, 0, rc, &why, err);
    r->pair = r->options.pairs && !r->wanted && rdv_is_pair(&r->mapping, &r->members, false);
    r->format = r->wanted ? r->wanted : r->pair ? NULL : rdv_format_of(&r->members);
    bool of_others = r->format && !rdv_format_is_native(r->format) &&
                     strcmp(r->format->name, "question-answer") != 0;
    if (r->options.pairs && !r->wanted && !of_others) /* the usual names count */
        r->pair = rdv_is_pair(&r->mapping, &r->members, true);
    r->format = r->pair ? NULL : r->format;
    rc = find_reason(r, &why);
    if (rc != RDV_OK && !r->recognised && r->path && r->members.fault == RDV_OK)
        return (rc = hold_fault(r, &why, err)) == RDV_OK ? RDV_NONE : rc;
    if (rc != RDV_OK)
        return fail_at(r, r->span.line, 0, rc, &why, err);
    r->recognised = true;
    return RDV_OK;
}

/* Whether the recognised record may give more or fewer chains than one. */
static bool counts_chains(const rdv_reader *r)
{
    return r->format && r->format->chains && !r->mapping.steps.text;
}

/* Recognise the record and count its chains. */
static int begin_span(rdv_reader *r, rdv_error *err)
{
    rdv_error why = {0};
    int rc = recognise_span(r, r->record, err);
    if (rc != RDV_OK)
        return rc == RDV_NONE ? RDV_OK : rc;
    r->chains = 1;
    if (counts_chains(r)) {
        rdv_record none = {0};
        rdv_chain_builder m = builder(r, r->record, &none);
        r->chains = r->format->chains(&m);
    }
    if (r->chains > RDV_MAX_CHAINS) {
        rc = rdv_fail(&why, RDV_E_LIMIT, "%zu chains, more than %zu", r->chains, RDV_MAX_CHAINS);
        r->chains = 0;
        return fail_at(r, r->span.line, 0, rc, &why, err);
    }
    if (r->members.fault != RDV_OK && r->chains == 0)
        r->chains = 1; /* to say what is wrong with it */
    return RDV_OK;
}

static void end_record(rdv_reader *r)
{
    rdv_members_free(&r->members);
    rdv_arena_reset(r->record);
    r->chains = r->next = 0;
}

/* Cut the next record from the file: r->span. */
static int next_span(rdv_reader *r, rdv_error *err)
{
    rdv_error why = {0};
    end_record(r);
    if (!r->recognised && r->n_held == RDV_MAX_UNKNOWN)
        return fail_file(r, err);
    int rc = rdv_record_stream_next(&r->stream, &r->span, &why);
    if (rc == RDV_NONE)
        return r->recognised || r->n_held == 0 ? RDV_NONE : fail_file(r, err);
    r->records += rc == RDV_OK || rc == RDV_E_INPUT || rc == RDV_E_LIMIT;
    r->number = r->records;
    r->notes->line = r->span.line;
    if (rdv_record_stream_nonfinite(&r->stream))
        rdv_note(r->notes, RDV_NOTE_NONFINITE, NONFINITE);
    if (rdv_record_stream_unasked(&r->stream))
        left_out_question_of_text(r->notes);
    return rc == RDV_OK ? rc : fail_at(r, r->span.line, r->span.column, rc, &why, err);
}

static int begin_record(rdv_reader *r, rdv_error *err)
{
    int rc = next_span(r, err);
    return rc == RDV_OK ? begin_span(r, err) : rc;
}

/* The chain's answer, read from its steps where the source does not give one. */
static void read_answer(rdv_chain_builder *m)
{
    rdv_chain *chain = m->chain;
    if (chain->answer.p || m->no_answer || chain->n_steps == 0)
        return;
    chain->answer_sought = true;
    rdv_answer_form form = rdv_answer_form_of(&chain->question);
    rdv_answer answer;
    rdv_error err;
    int code = chain_answer_read(chain, &form, m->arena, &answer, &err);
    if (code == RDV_OK)
        chain->answer = answer.text;
    else if (code != RDV_NONE)
        rdv_build_nomem(m);
}

/* What a published record says beside its data set's own members: the groups of tables, and in a
 * form that anybody writes all the rest. */
static void keep_unknown(rdv_chain_builder *m, const rdv_format *format)
{
    if (format->keeps_unknown) {
        rdv_carry_unknown(m->in, &m->extra);
        return;
    }
    rdv_build_keep(m, "dataset", "dataset");
    rdv_build_keep(m, "task", "task");
}

/* A record in the native format, for a record that was read in another format. */
static void make_raw(rdv_chain_builder *m)
{
    /* A chain that is not finished is written with it already. */
    if (m->no_answer && !m->chain->answer.p && !m->chain->unfinished.p)
        rdv_json_put_null(&m->extra, "answer");
    rdv_buf b;
    rdv_buf_init(&b, m->arena, 0);
    rdv_buf_add_char(&b, '{');
    rdv_write_chain(&b, m->chain, NULL);
    rdv_str extra = rdv_buf_str(&m->extra);
    if (extra.len)
        rdv_buf_add_char(&b, ',');
    rdv_buf_add(&b, extra);
    rdv_buf_add_char(&b, '}');
    m->chain->raw = rdv_buf_str(&b);
    if (!m->chain->raw.p || !extra.p)
        rdv_build_nomem(m);
}

static void keep_raw(rdv_chain_builder *m, rdv_str text, bool cut)
{
    m->chain->raw = cut ? rdv_trim(text) : rdv_str_copy(m->arena, rdv_trim(text));
    if (!m->chain->raw.p)
        rdv_build_nomem(m);
}

static void begin_chain(rdv_reader *r, rdv_arena *arena, rdv_record *out, rdv_chain_builder *m)
{
    *out = (rdv_record){.kind = RDV_RECORD_QUESTION,
                        .format = r->format ? r->format->name
                                  : r->pair ? "pair"
                                            : "mapped",
                        .line = r->span.part.p ? r->number : r->span.line};
    out->chain.correct = -1;
    *m = builder(r, arena, out);
}

/* The chain as its format has it, with the mapped parts in their place. A record that looks like a
 * format and is none is read by its paths alone. */
static void read_chain(rdv_reader *r, rdv_arena *arena, rdv_record *out, rdv_chain_builder *m)
{
    begin_chain(r, arena, out, m);
    if (r->pair) {
        rdv_read_pair(&r->mapping, m);
        return;
    }
    if (r->format)
        r->format->read(m);
    if (!r->mapping.any)
        return;
    if (r->members.fault == RDV_E_INPUT && !r->wanted) {
        r->members.fault = RDV_OK;
        begin_chain(r, arena, out, m);
    }
    rdv_mapping_apply(&r->mapping, m);
}

/* Begin to note the copies that the reading of a chain makes in `arena`. */
static void begin_places(rdv_reader *r, rdv_arena *arena)
{
    rdv_copies_init(&r->copies, r->record);
    r->copies.under = &r->decoded;
    rdv_arena_log(arena, &r->copies);
}

/* Note the values that were decoded since they were noted last. */
static void note_decoded(rdv_reader *r)
{
    for (size_t i = 0; i < r->members.n; i++) {
        rdv_member *member = &r->members.items[i];
        if (member->value && !member->noted)
            rdv_places_note(&r->decoded, member->raw, member->value);
        member->noted = member->value != NULL;
    }
}

/* Find the places of the chain that was read. */
static int end_places(rdv_reader *r, rdv_arena *arena, rdv_record *out, rdv_error *err)
{
    rdv_arena_log(arena, NULL);
    if (r->members.fault != RDV_OK || out->kind != RDV_RECORD_CHAIN)
        return RDV_OK;
    note_decoded(r);
    return rdv_places_make(&r->finder, &r->copies, &out->chain, r->span.part, arena, &out->places,
                           err);
}

static int make_record(rdv_reader *r, rdv_arena *arena, rdv_record *out, rdv_error *err)
{
    rdv_chain_builder m;
    if (keeps_places(r))
        begin_places(r, arena);
    read_chain(r, arena, out, &m);
    bool own = r->pair || (r->format && rdv_format_is_native(r->format) && !r->mapping.any);
    bool problem = out->kind == RDV_RECORD_CHAIN || out->kind == RDV_RECORD_QUESTION;
    bool asked = out->chain.question.text.p || out->chain.question.id.p;
    if (problem && !asked && !(own && out->kind == RDV_RECORD_CHAIN))
        rdv_members_fail(&r->members, RDV_E_INPUT, "the record says no question%s",
                         r->mapping.any && !r->mapping.question.text
                             ? "; name the member that holds it with --question-from"
                             : "");
    if ((problem || r->pair) && !out->chain.id.p && r->set)
        rdv_build_id(&m, r->chains > 1);
    if (problem && !out->chain.question.id.p)
        out->chain.question.id = asked ? out->chain.question.text : out->chain.id;
    if (r->members.fault == RDV_OK)
        read_answer(&m);
    bool others = rdv_build_reasoning(&m, own);
    if (keeps_places(r) && end_places(r, arena, out, err) != RDV_OK)
        return RDV_E_NOMEM;
    if (own) {
        keep_raw(&m, r->span.text, r->cut);
        if (others)
            rdv_build_reasoning_raw(&m);
    } else {
        if (problem && !r->mapping.any && !r->format->foreign)
            keep_unknown(&m, r->format);
        make_raw(&m);
    }
    if (r->members.fault == RDV_OK) {
        rdv_note_members(&out->chain, own && !others ? &r->members : NULL, rdv_trim(r->span.text),
                         arena);
        return RDV_OK;
    }
    rdv_error why = {0};
    int rc = rdv_fail(&why, r->members.fault, "%s", r->members.reason);
    r->members.fault = RDV_OK; /* of this chain; the record's next one may be whole */
    return fail_at(r, r->span.line, 0, rc, &why, err);
}

int rdv_reader_next(rdv_reader *r, rdv_arena *arena, rdv_record *record, rdv_error *err)
{
    while (r->fault.code == RDV_OK) {
        if (r->recognised && r->told < r->n_held) {
            rdv_str message = r->held[r->told++];
            return rdv_fail(err, RDV_E_INPUT, "%.*s", RDV_FMT(message));
        }
        if (r->next < r->chains) {
            int rc = make_record(r, arena, record, err);
            r->next++;
            return rc;
        }
        int rc = begin_record(r, err);
        if (rc != RDV_OK)
            return rc;
    }
    return rdv_fail(err, r->fault.code, "%s", r->fault.msg);
}

/* ---- records that are cut, and read later ---------------------------------------------------- */

bool rdv_reader_may_cut(const rdv_reader *r)
{
    return r->recognised && r->told == r->n_held && r->next >= r->chains && !counts_chains(r) &&
           r->fault.code == RDV_OK;
}

/* The origin of the current record, for its copy that is cut. */
static int cut_origin(rdv_reader *r, rdv_arena *arena, rdv_json_span *cut, rdv_error *err)
{
    rdv_str text = r->span.text, bytes = r->span.origin.bytes;
    rdv_origin *origin = &cut->origin;
    if (bytes.p == text.p && bytes.len == text.len) {
        *origin = (rdv_origin){cut->text, origin->begin, NULL};
        return RDV_OK;
    }
    rdv_copies *copies = RDV_NEW(arena, rdv_copies);
    *origin = (rdv_origin){rdv_str_copy(arena, bytes), origin->begin, copies};
    if (!copies || !origin->bytes.p)
        return rdv_no_memory(err);
    rdv_copies_init(copies, arena);
    rdv_copies_between(r->span.origin.copies, text, bytes, copies);
    for (size_t i = 0; i < copies->n; i++) {
        copies->items[i].to = cut->text.p + (copies->items[i].to - text.p);
        copies->items[i].from = origin->bytes.p + (copies->items[i].from - bytes.p);
    }
    return copies->failed ? rdv_no_memory(err) : RDV_OK;
}

int rdv_reader_cut(rdv_reader *r, rdv_arena *arena, rdv_cut *cut, rdv_error *err)
{
    int rc = next_span(r, err);
    if (rc != RDV_OK)
        return rc;
    *cut = (rdv_cut){.span = r->span, .number = r->number, .notes_told = r->notes->told};
    cut->span.text = rdv_str_copy(arena, r->span.text);
    if (!cut->span.text.p)
        return rdv_no_memory(err);
    return r->options.places ? cut_origin(r, arena, &cut->span, err) : RDV_OK;
}

int rdv_cut_reader_new(rdv_reader **reader)
{
    rdv_reader *r = *reader = calloc(1, sizeof *r);
    if (r && (r->record = rdv_arena_new(0)))
        return RDV_OK;
    rdv_reader_close(reader);
    return RDV_E_NOMEM;
}

/* What `by` reads of `of`, it reads in the same way. */
static void read_as(rdv_reader *by, const rdv_reader *of)
{
    by->options = of->options;
    by->mapping = of->mapping;
    by->limits = of->limits;
    by->wanted = of->wanted;
    by->path = of->path;
    by->set = of->set;
    by->joined = of->joined;
    by->joins = of->joins;
    by->check_reasoning = of->check_reasoning;
    by->recognised = true;
    by->fault.code = RDV_OK;
}

/* Begin with a record that `of` cut; `notes`: of which kinds were told. */
static void begin_cut(rdv_reader *by, const rdv_reader *of, const rdv_cut *cut, rdv_notes *notes)
{
    end_record(by);
    read_as(by, of);
    by->span = cut->span;
    by->number = cut->number;
    by->notes = notes;
    notes->line = cut->span.line;
}

int rdv_cut_read(rdv_reader *by, const rdv_reader *of, const rdv_cut *cut, rdv_arena *arena,
                 rdv_record *record, rdv_kept_notes *kept, rdv_error *err)
{
    kept->arena = arena;
    by->own_notes = (rdv_notes){.tell = of->options.note,
                                .path = of->path,
                                .told = cut->notes_told,
                                .left_out = of->options.notes_left_out,
                                .keep = kept};
    begin_cut(by, of, cut, &by->own_notes);
    int rc = recognise_span(by, arena, err);
    if (rc == RDV_OK && counts_chains(by))
        rc = RDV_NONE;
    by->cut = true;
    by->members.lasting = !keeps_places(by); /* places are found by the copies that were made */
    by->chains = 1;
    if (rc == RDV_OK)
        rc = make_record(by, arena, record, err);
    rdv_members_free(&by->members); /* while their arena is there */
    return rc;
}

void rdv_reader_tell(rdv_reader *r, const rdv_kept_notes *kept)
{
    for (const rdv_kept_note *note = kept->first; note; note = note->next)
        rdv_note_tell(r->notes, note->of, note->message);
}

int rdv_cut_begin(rdv_reader *by, rdv_reader *of, const rdv_cut *cut, rdv_error *err)
{
    begin_cut(by, of, cut, of->notes);
    by->cut = false;
    return begin_span(by, err);
}

int rdv_cut_next(rdv_reader *by, rdv_arena *arena, rdv_record *record, rdv_error *err)
{
    if (by->next >= by->chains)
        return RDV_NONE;
    int rc = make_record(by, arena, record, err);
    by->next++;
    return rc;
}

/* ---- one record in memory -------------------------------------------------------------------- */

/* The white space before the record is not part of it, but counts for the place of a fault. */
static void skip_space(rdv_json_span *span)
{
    size_t n = 0;
    while (n < span->text.len && rdv_is_space(span->text.p[n]))
        n++;
    rdv_json_span_advance(span, n);
    span->text = rdv_slice(span->text, n, span->text.len);
}

static int read_all_chains(rdv_reader *r, rdv_arena *arena, rdv_record **records, rdv_error *err)
{
    *records = RDV_NEW_ARRAY(arena, rdv_record, r->chains);
    if (!*records)
        return rdv_no_memory(err);
    int rc = RDV_OK;
    for (; r->next < r->chains && rc == RDV_OK; r->next++)
        rc = make_record(r, arena, &(*records)[r->next], err);
    return rc;
}

int rdv_record_read_from(rdv_str bytes, const rdv_origin *origin, const rdv_read_options *options,
                         rdv_arena *arena, rdv_record **records, size_t *n, rdv_error *err)
{
    rdv_read_options o = {.size = sizeof o};
    int rc = rdv_options_take(&o, sizeof o, options, err);
    if (rc == RDV_OK && o.n_join)
        rc = rdv_fail(err, RDV_E_ARGUMENT, "files are joined by a reader, not to a single record");
    rdv_reader r = {.set = o.name, .number = 1, .span = {.text = bytes, .line = 1, .column = 1}};
    if (origin)
        r.span.origin = *origin;
    if (rc == RDV_OK)
        rc = set_up(&r, &o, err);
    rdv_buf finite;
    rdv_buf_init(&finite, arena, 0);
    skip_space(&r.span);
    if (rdv_nonfinite_to_null(r.span.text, &finite, &r.span.text))
        rdv_note(r.notes, RDV_NOTE_NONFINITE, NONFINITE);
    if (rc == RDV_OK && !rdv_buf_ok(&finite))
        rc = rdv_no_memory(err);
    if (rc == RDV_OK && r.span.text.len > r.limits.record_bytes)
        rc = rdv_fail(err, RDV_E_LIMIT, "a record of more than %zu bytes", r.limits.record_bytes);
    if (rc == RDV_OK)
        rc = begin_span(&r, err);
    rdv_record *all;
    if (rc == RDV_OK)
        rc = read_all_chains(&r, arena, &all, err);
    if (rc == RDV_OK) {
        *records = all;
        *n = r.chains;
    }
    rdv_members_free(&r.members);
    rdv_arena_free(&r.record);
    return rc;
}

int rdv_record_read(rdv_str bytes, const rdv_read_options *options, rdv_arena *arena,
                    rdv_record **records, size_t *n, rdv_error *err)
{
    return rdv_record_read_from(bytes, NULL, options, arena, records, n, err);
}
