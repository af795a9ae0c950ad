/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts read back in, as data/write_checks.c writes them. */
#include "base/arena.h"
#include "base/str.h"
#include "chain/coverage.h"
#include "chain/evidence.h"
#include "data/format/native.h"

#include <math.h>

#define MAX_EVIDENCE_DEPTH 64
#define MAX_CHECKS 256

static void bad(rdv_chain_builder *m, const char *what)
{
    rdv_members_fail(m->in, RDV_E_INPUT, "%s", what);
}

/* ---- evidence -------------------------------------------------------------------------------- */

static void read_notes(rdv_chain_builder *m, rdv_evidence *parent, const json_t *value,
                       size_t depth);

static void read_note(rdv_chain_builder *m, rdv_evidence *parent, rdv_str name, const json_t *value,
                      size_t depth)
{
    rdv_evidence *note = NULL;
    if (json_is_object(value) || json_is_array(value)) {
        note = json_is_object(value) ? rdv_evidence_map(m->arena, parent, name)
                                     : rdv_evidence_list(m->arena, parent, name);
        if (note)
            read_notes(m, note, value, depth + 1);
    } else if (json_is_string(value))
        note = rdv_evidence_text(m->arena, parent, name, rdv_build_text_of(m, value, "evidence"));
    else if (json_is_number(value))
        note = rdv_evidence_number(m->arena, parent, name, json_number_value(value));
    else if (json_is_boolean(value))
        note = rdv_evidence_flag(m->arena, parent, name, json_is_true(value));
    else
        note = rdv_evidence_null(m->arena, parent, name);
    if (!note)
        rdv_build_nomem(m);
}

static void read_notes(rdv_chain_builder *m, rdv_evidence *parent, const json_t *value,
                       size_t depth)
{
    if (depth > MAX_EVIDENCE_DEPTH) {
        bad(m, "evidence is nested too deeply");
        return;
    }
    for (size_t i = 0; i < json_array_size(value); i++)
        read_note(m, parent, (rdv_str){0}, json_array_get(value, i), depth);
    const char *key;
    json_t *child;
    json_object_foreach((json_t *)value, key, child)
    {
        rdv_str name = rdv_str_copy(m->arena, rdv_str_of(key));
        if (!name.p)
            rdv_build_nomem(m);
        else
            read_note(m, parent, name, child, depth);
    }
}

/* The evidence, with "n_samples" and "stderr", which stand beside it in the record, among it. */
static rdv_evidence *read_evidence(rdv_chain_builder *m, const json_t *verdict)
{
    static const char *const beside[] = {"n_samples", "stderr"};
    const json_t *evidence = json_object_get(verdict, "evidence");
    bool any = json_is_object(evidence);
    for (size_t i = 0; i < 2; i++)
        any |= json_is_number(json_object_get(verdict, beside[i]));
    if (!any)
        return NULL;
    rdv_evidence *map = rdv_evidence_map(m->arena, NULL, (rdv_str){0});
    if (!map) {
        rdv_build_nomem(m);
        return NULL;
    }
    for (size_t i = 0; i < 2; i++) {
        const json_t *value = json_object_get(verdict, beside[i]);
        if (json_is_number(value))
            read_note(m, map, rdv_str_of(beside[i]), value, 0);
    }
    if (json_is_object(evidence))
        read_notes(m, map, evidence, 1);
    return map;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* A step's index; `null` stands for `otherwise`. */
static size_t read_index(rdv_chain_builder *m, const json_t *value, size_t otherwise)
{
    long index;
    if (!value || json_is_null(value))
        return otherwise;
    if (rdv_build_integer(value, &index) && index >= 0 && (size_t)index < m->chain->n_steps)
        return (size_t)index;
    bad(m, "a verdict is on a step that the chain does not have");
    return otherwise;
}

static double read_share(rdv_chain_builder *m, const json_t *value)
{
    double x = json_is_number(value) ? json_number_value(value) : NAN;
    if (x < 0 || x > 1)
        bad(m, "a score or confidence of a check is not between 0 and 1");
    return x;
}

static void read_verdict(rdv_chain_builder *m, const json_t *item, rdv_verdict *out)
{
    rdv_str name = rdv_build_text_in(m, item, "verdict");
    if (!name.p || rdv_verdict_named(name, &out->kind) != RDV_OK)
        bad(m, "a verdict is none of support, unrelated, contradict, unknown");
    out->step = read_index(m, json_object_get(item, "step"), RDV_WHOLE_CHAIN);
    out->score = read_share(m, json_object_get(item, "score"));
    out->why = rdv_build_text_in(m, item, "explanation");
    out->evidence = read_evidence(m, item);
}

static uint64_t read_count(const json_t *value)
{
    double x = json_number_value(value);
    return x >= 0 && x <= 9e15 ? (uint64_t)x : 0;
}

/* NULL: the check has none. A reason that is not known is one of "other". */
static rdv_coverage *read_coverage(rdv_chain_builder *m, const json_t *coverage)
{
    const json_t *value;
    const char *key;
    if (!json_is_object(coverage))
        return NULL;
    rdv_coverage *out = RDV_NEW(m->arena, rdv_coverage);
    if (!out) {
        rdv_build_nomem(m);
        return NULL;
    }
    out->checked = (size_t)read_count(json_object_get(coverage, "n_checked"));
    out->undecided = (size_t)read_count(json_object_get(coverage, "n_undecided"));
    json_object_foreach(json_object_get(coverage, "not_read"), key, value)
    {
        rdv_unread_reason is = RDV_UNREAD_OTHER;
        coverage_reason_named(rdv_str_of(key), &is);
        out->unread[is] += (size_t)read_count(value);
    }
    return out;
}

/* The members of a check. Those before CHECKER may stand at the top of the record, too. */
enum member {
    VERDICTS,
    CONFIDENCE,
    FIRST_ERROR,
    N_UNKNOWN,
    N_CALLS,
    PROMPT_TOKENS,
    COMPLETION_TOKENS,
    SKIPPED,
    COVERAGE,
    CHECKER,
    PROFILE,
    N_MEMBERS
};

static const char *const names[N_MEMBERS] = {
    "verdicts",          "confidence", "first_error", "n_unknown", "n_calls", "prompt_tokens",
    "completion_tokens", "skipped",    "coverage",    "checker",   "profile"};

/* Their values, NULL: there is none of that name. */
typedef struct check_members {
    json_t *of[N_MEMBERS];
} check_members;

static uint64_t read_number(const check_members *members, enum member which)
{
    return read_count(members->of[which]);
}

/* One check. */
static void read_check(rdv_chain_builder *m, rdv_str method, const check_members *members,
                       rdv_check *out)
{
    const json_t *verdicts = members->of[VERDICTS];
    size_t n = json_array_size(verdicts);
    if (n > m->limits->steps) {
        bad(m, "a check has more verdicts than a chain may have steps");
        return;
    }
    out->method = method;
    out->verdicts = RDV_NEW_ARRAY(m->arena, rdv_verdict, n);
    if (!out->verdicts) {
        rdv_build_nomem(m);
        return;
    }
    out->n_verdicts = n;
    for (size_t i = 0; i < n; i++)
        read_verdict(m, json_array_get(verdicts, i), &out->verdicts[i]);
    out->confidence = read_share(m, members->of[CONFIDENCE]);
    out->coverage = read_coverage(m, members->of[COVERAGE]);
    const json_t *first = members->of[FIRST_ERROR];
    bool unknown = !first || /* what is not said is not "none" */
                   (json_is_string(first) && strcmp(json_string_value(first), "unknown") == 0);
    out->first_error = unknown ? RDV_STEP_UNKNOWN : read_index(m, first, RDV_NO_STEP);
    out->n_unknown = (size_t)read_number(members, N_UNKNOWN);
    out->calls = read_number(members, N_CALLS);
    out->prompt_tokens = read_number(members, PROMPT_TOKENS);
    out->completion_tokens = read_number(members, COMPLETION_TOKENS);
    out->skipped = rdv_build_flag_of(members->of[SKIPPED]) == 1;
    out->checker = rdv_build_text_of(m, members->of[CHECKER], names[CHECKER]);
    out->profile = rdv_build_text_of(m, members->of[PROFILE], names[PROFILE]);
}

/* A member, of whose evidence no more is decoded than is asked for. */
static json_t *get_member(rdv_chain_builder *m, const char *name)
{
    return rdv_members_get_as(m->in, name, m->evidence_numbers);
}

/* The members of the check at the top of the record. */
static check_members top_check(rdv_chain_builder *m)
{
    check_members members = {0};
    for (size_t i = 0; i < CHECKER; i++)
        members.of[i] = get_member(m, names[i]);
    return members;
}

static check_members check_under(const json_t *object)
{
    check_members members;
    for (size_t i = 0; i < N_MEMBERS; i++)
        members.of[i] = json_object_get(object, names[i]);
    return members;
}

/* What a record says under "checks" may be the user's own, where no method stands at its top. */
static bool is_check(const json_t *value)
{
    const json_t *verdicts = json_object_get(value, "verdicts");
    const char *verdict =
        json_string_value(json_object_get(json_array_get(verdicts, 0), "verdict"));
    double confidence = json_number_value(json_object_get(value, "confidence"));
    rdv_verdict_kind is;
    if (json_array_size(verdicts))
        return verdict && rdv_verdict_named(rdv_str_of(verdict), &is) == RDV_OK;
    return (confidence > 0 && confidence <= 1) || json_is_true(json_object_get(value, "skipped"));
}

/* All those under "checks" but the one that stands at the top too; p == NULL: none does. */
static size_t read_under(rdv_chain_builder *m, const json_t *checks, rdv_str last, rdv_check *out)
{
    size_t n = 0;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)checks, key, value)
    {
        if (last.p ? rdv_str_eq(rdv_str_of(key), last) : !is_check(value))
            continue;
        rdv_str method = rdv_str_copy(m->arena, rdv_str_of(key));
        if (!method.p)
            rdv_build_nomem(m);
        else {
            check_members members = check_under(value);
            read_check(m, method, &members, &out[n++]);
        }
    }
    return n;
}

void rdv_native_checks(rdv_chain_builder *m)
{
    bool own = !rdv_members_say_check(m->in); /* the member is the user's own, if it is there */
    rdv_str last = own ? (rdv_str){0} : rdv_build_text(m, "method");
    const json_t *checks = get_member(m, "checks");
    if (!last.p && !json_is_object(checks))
        return;
    if (last.p &&
        rdv_find_char(last, '\0', 0) != RDV_NOT_FOUND) { /* no key of "checks" can hold it */
        bad(m, "the name of a method has a NUL byte");
        return;
    }
    size_t room = json_object_size(checks) + 1;
    if (room > MAX_CHECKS) {
        bad(m, "more checks than there can be methods");
        return;
    }
    m->chain->checks = RDV_NEW_ARRAY(m->arena, rdv_check, room);
    check_members top = top_check(m);
    if (m->chain->checks) {
        m->chain->n_checks = read_under(m, checks, last, m->chain->checks);
        if (last.p)
            read_check(m, last, &top, &m->chain->checks[m->chain->n_checks++]);
    } else
        rdv_build_nomem(m);
}
