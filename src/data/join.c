/* SPDX-License-Identifier: Apache-2.0 */
#include "data/join.h"
#include "base/arena.h"
#include "base/str.h"
#include "data/json_stream.h"
#include "data/chain_builder.h"
#include "data/conversation.h"
#include "data/format/readers.h"

char *rdv_set_name(rdv_arena *arena, const char *path)
{
    rdv_str name = rdv_stem(rdv_str_of(path));
    return rdv_cstring(arena,
                       rdv_str_eq(name, RDV_STR("-")) || !name.len ? RDV_STR("input") : name);
}

/* What could not be read is not added. */
static void add_score(rdv_chain_builder *m, rdv_joined *j, rdv_str id, long candidate,
                      const rdv_joined_score *score)
{
    if (m->in->fault == RDV_OK && rdv_joined_add_score(j, id, candidate, score) != RDV_OK)
        rdv_build_nomem(m);
}

static void add_question(rdv_chain_builder *m, rdv_joined *j, rdv_str id,
                         const rdv_joined_question *question)
{
    if (m->in->fault == RDV_OK && rdv_joined_add_question(j, id, question) != RDV_OK)
        rdv_build_nomem(m);
}

/* ---- records --------------------------------------------------------------------------------- */

/* {"problem_id", "candidate_index", "step_scores", "prm_name"} */
static void read_candidate_scores(rdv_chain_builder *m, rdv_joined *j)
{
    long candidate = -1;
    rdv_joined_score score = {.name = rdv_build_text(m, "prm_name")};
    score.step = rdv_build_numbers(m, rdv_build_list(m, "step_scores"), "step_scores", &score.n);
    if (!rdv_build_integer(rdv_members_get(m->in, "candidate_index"), &candidate) || candidate < 0)
        rdv_members_fail(m->in, RDV_E_INPUT, "\"candidate_index\" must be an index from 0");
    if (!score.name.p)
        score.name = rdv_str_of(m->set);
    rdv_str id = rdv_build_text(m, "problem_id");
    add_score(m, j, id, candidate, &score);
}

/* {"id" or "uuid", "scores"}, called by the file's name */
static void read_id_scores(rdv_chain_builder *m, rdv_joined *j)
{
    rdv_joined_score score = {.name = rdv_str_of(m->set)};
    score.step = rdv_build_numbers(m, rdv_build_list(m, "scores"), "scores", &score.n);
    rdv_str id = rdv_build_text(m, rdv_members_have(m->in, "uuid") ? "uuid" : "id");
    add_score(m, j, id, -1, &score);
}

static void read_question(rdv_chain_builder *m, rdv_joined *j)
{
    rdv_joined_question question = {.text = rdv_build_text(m, "question"),
                                    .gold = rdv_build_text(m, "answer")};
    json_t *options = rdv_members_get(m->in, "options");
    if (json_is_array(options)) {
        rdv_build_options(m, options, "options");
        question.options = m->chain->question.options;
        question.n_options = m->chain->question.n_options;
    }
    add_question(m, j, rdv_build_text(m, "id"), &question);
}

/* A request of a batch, by its custom_id. */
static void read_request(rdv_chain_builder *m, rdv_joined *j)
{
    static const char *const names[] = {"body", "params"};
    rdv_conversation x = {0};
    for (size_t i = 0; i < 2; i++)
        rdv_conversation_ask(m, rdv_members_get(m->in, names[i]), &x);
    rdv_joined_question question = {.text = x.question, .system = x.system};
    rdv_str id = rdv_build_text(m, "custom_id");
    if (!id.p)
        rdv_members_fail(m->in, RDV_E_INPUT, "\"custom_id\" is null");
    add_question(m, j, id, &question);
}

static void read_joined(rdv_chain_builder *m, rdv_joined *j)
{
    const rdv_members *in = m->in;
    if (rdv_members_have(in, "custom_id") && rdv_is_batch_request(in)) {
        read_request(m, j);
        return;
    }
    if (rdv_members_have(in, "problem_id") && rdv_members_have(in, "step_scores"))
        read_candidate_scores(m, j);
    else if (rdv_members_have(in, "scores") &&
             (rdv_members_have(in, "id") || rdv_members_have(in, "uuid")))
        read_id_scores(m, j);
    else if (rdv_members_have(in, "id") && rdv_members_have(in, "question"))
        read_question(m, j);
    else
        rdv_members_fail(
            m->in, RDV_E_INPUT,
            "neither step scores, nor a question with an id, nor a request of a batch");
}

/* The table of puzzles of game of 24: "Rank,Puzzles,...", one per line, no quotes. Its own header
 * is skipped. */
static void read_puzzle(rdv_chain_builder *m, rdv_joined *j, rdv_str line)
{
    size_t comma = rdv_find_char(line, ',', 0);
    size_t end = rdv_find_char(line, ',', comma + 1);
    rdv_str id = rdv_str_copy(j->arena, rdv_slice(line, 0, comma));
    rdv_joined_question question = {.text =
                                        rdv_str_copy(j->arena, rdv_slice(line, comma + 1, end))};
    if (!id.p || !question.text.p)
        rdv_build_nomem(m);
    else if (rdv_is_digit(line.p[0]))
        add_question(m, j, id, &question);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_table_line(rdv_str line)
{
    size_t comma = rdv_find_char(line, ',', 0);
    return line.len && comma != RDV_NOT_FOUND &&
           (rdv_is_digit(line.p[0]) || rdv_starts(line, RDV_STR("Rank,")));
}

static int read_frame(rdv_joined *j, rdv_json_span *span, const char *name,
                      const rdv_limits *limits, rdv_error *why)
{
    rdv_members members = {0};
    rdv_record none = {0};
    rdv_chain_builder m = {.in = &members,
                           .out = &none,
                           .chain = &none.chain,
                           .arena = j->arena,
                           .set = name,
                           .limits = limits};
    size_t at;
    if (is_table_line(span->text))
        read_puzzle(&m, j, span->text);
    else {
        rdv_arena *arena = rdv_arena_new(0);
        int rc = arena ? rdv_members_read(&members, span->text, limits, arena, &at, why)
                       : rdv_no_memory(why);
        if (rc == RDV_OK)
            read_joined(&m, j);
        rdv_members_free(&members);
        rdv_arena_free(&arena);
        if (rc != RDV_OK)
            return rc;
    }
    return members.fault == RDV_OK ? RDV_OK : rdv_fail(why, members.fault, "%s", members.reason);
}

static int read_stream(rdv_joined *j, rdv_json_stream *stream, const char *name,
                       const rdv_limits *limits, rdv_json_span *span, rdv_error *why)
{
    for (;;) {
        int rc = rdv_json_stream_next(stream, span, why);
        if (rc == RDV_OK)
            rc = read_frame(j, span, name, limits, why);
        if (rc != RDV_OK)
            return rc == RDV_NONE ? RDV_OK : rc;
    }
}

int rdv_joined_read(rdv_joined *j, const char *path, const rdv_limits *limits, rdv_error *err)
{
    rdv_bytes *bytes;
    int rc = rdv_bytes_open(&bytes, path, err);
    if (rc != RDV_OK)
        return rc;
    rdv_json_stream stream;
    rdv_json_span span = {0};
    rdv_error why = {0};
    char *name = rdv_set_name(j->arena, path);
    rc = rdv_json_stream_init(&stream, bytes, limits, &why);
    if (rc == RDV_OK && !name)
        rc = rdv_no_memory(&why);
    if (rc == RDV_OK)
        rc = read_stream(j, &stream, name, limits, &span, &why);
    rdv_json_stream_free(&stream);
    if (rc != RDV_OK)
        return rdv_fail(err, rc, "%s:%zu: %s", path, span.line, why.msg);
    return RDV_OK;
}
