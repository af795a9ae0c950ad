/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts read back in, as data/write_checks.c writes them. */
#include "base/arena.h"
#include "base/str.h"
#include "chain/coverage.h"
#include "data/evidence.h"
#include "data/format/native.h"

#include <math.h>

#define MAX_EVIDENCE_DEPTH 64
#define MAX_CHECKS 256

static void bad(rdv_chain_builder *m, const char *what)
{
    rdv_members_fail(m->in, RDV_E_INPUT, "%s", what);
}

/* ---- values ---------------------------------------------------------------------------------- */

static const rdv_evidence *member_of(const rdv_evidence *map, const char *name)
{
    return rdv_evidence_get(map, rdv_str_of(name));
}

static bool is_of(const rdv_evidence *note, rdv_evidence_type type)
{
    return note && note->type == type;
}

static double number_of(const rdv_evidence *note)
{
    return is_of(note, RDV_EVIDENCE_NUMBER) ? note->number : 0;
}

static size_t count_children(const rdv_evidence *note)
{
    size_t n = 0;
    for (const rdv_evidence *child = rdv_evidence_first(note); child; child = child->next)
        n++;
    return n;
}

/* As rdv_build_text_of(). */
static rdv_str text_of(rdv_chain_builder *m, const rdv_evidence *note, const char *name)
{
    if (!note || note->type == RDV_EVIDENCE_NULL)
        return (rdv_str){0};
    if (note->type == RDV_EVIDENCE_TEXT)
        return note->text;
    if (note->type == RDV_EVIDENCE_FLAG)
        return note->number != 0 ? RDV_STR("true") : RDV_STR("false");
    if (note->type == RDV_EVIDENCE_NUMBER)
        return rdv_build_number_text(m, note->number);
    rdv_members_fail(m->in, RDV_E_INPUT, "member \"%s\" must be a text", name);
    return (rdv_str){0};
}

/* As rdv_build_integer(). */
static bool is_integer(rdv_chain_builder *m, const rdv_evidence *note, long *out)
{
    if (note->type == RDV_EVIDENCE_NUMBER)
        return rdv_build_whole(NULL, note->number, out);
    const char *text = is_of(note, RDV_EVIDENCE_TEXT) ? rdv_cstring(m->arena, note->text) : NULL;
    return text && rdv_build_whole(text, 0, out);
}

/* ---- evidence -------------------------------------------------------------------------------- */

static bool is_deeper(const rdv_evidence *note, size_t most)
{
    const rdv_evidence *child = rdv_evidence_first(note);
    while (child && most && !is_deeper(child, most - 1))
        child = child->next;
    return child;
}

/* The evidence, with "n_samples" and "stderr", which stand beside it in the record, among it. */
static rdv_evidence *read_evidence(rdv_chain_builder *m, const rdv_evidence *verdict)
{
    static const char *const beside[] = {"n_samples", "stderr"};
    const rdv_evidence *evidence = member_of(verdict, "evidence");
    bool any = is_of(evidence, RDV_EVIDENCE_MAP);
    if (any && is_deeper(evidence, MAX_EVIDENCE_DEPTH))
        bad(m, "evidence is nested too deeply");
    for (size_t i = 0; i < 2; i++)
        any |= is_of(member_of(verdict, beside[i]), RDV_EVIDENCE_NUMBER);
    if (!any)
        return NULL;
    rdv_evidence *map = rdv_evidence_map(m->arena, NULL, (rdv_str){0});
    for (size_t i = 0; map && i < 2; i++) {
        const rdv_evidence *value = member_of(verdict, beside[i]);
        if (is_of(value, RDV_EVIDENCE_NUMBER) &&
            !rdv_evidence_number(m->arena, map, value->name, value->number))
            map = NULL;
    }
    if (!map)
        rdv_build_nomem(m);
    else if (is_of(evidence, RDV_EVIDENCE_MAP) && map->children.last)
        map->children.last->next = evidence->children.first;
    else if (is_of(evidence, RDV_EVIDENCE_MAP))
        map->children = evidence->children;
    return map;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* A step's index; `null` stands for `otherwise`. */
static size_t read_index(rdv_chain_builder *m, const rdv_evidence *value, size_t otherwise)
{
    long index;
    if (!value || value->type == RDV_EVIDENCE_NULL)
        return otherwise;
    if (is_integer(m, value, &index) && index >= 0 && (size_t)index < m->chain->n_steps)
        return (size_t)index;
    bad(m, "a verdict is on a step that the chain does not have");
    return otherwise;
}

static double read_share(rdv_chain_builder *m, const rdv_evidence *value)
{
    double x = is_of(value, RDV_EVIDENCE_NUMBER) ? value->number : NAN;
    if (x < 0 || x > 1)
        bad(m, "a score or confidence of a check is not between 0 and 1");
    return x;
}

static void read_verdict(rdv_chain_builder *m, const rdv_evidence *item, rdv_verdict *out)
{
    rdv_str name = text_of(m, member_of(item, "verdict"), "verdict");
    if (!name.p || rdv_verdict_named(name, &out->kind) != RDV_OK)
        bad(m, "a verdict is none of support, unrelated, contradict, unknown");
    out->step = read_index(m, member_of(item, "step"), RDV_WHOLE_CHAIN);
    out->score = read_share(m, member_of(item, "score"));
    out->why = text_of(m, member_of(item, "explanation"), "explanation");
    out->evidence = read_evidence(m, item);
}

static uint64_t read_count(const rdv_evidence *value)
{
    double x = number_of(value);
    return x >= 0 && x <= 9e15 ? (uint64_t)x : 0;
}

/* NULL: the check has none. A reason that is not known is one of "other". */
static rdv_coverage *read_coverage(rdv_chain_builder *m, const rdv_evidence *coverage)
{
    if (!is_of(coverage, RDV_EVIDENCE_MAP))
        return NULL;
    rdv_coverage *out = RDV_NEW(m->arena, rdv_coverage);
    if (!out) {
        rdv_build_nomem(m);
        return NULL;
    }
    out->checked = (size_t)read_count(member_of(coverage, "n_checked"));
    out->undecided = (size_t)read_count(member_of(coverage, "n_undecided"));
    const rdv_evidence *unread = member_of(coverage, "not_read");
    if (!is_of(unread, RDV_EVIDENCE_MAP))
        return out;
    for (const rdv_evidence *value = rdv_evidence_first(unread); value; value = value->next) {
        rdv_unread_reason is = RDV_UNREAD_OTHER;
        coverage_reason_named(value->name, &is);
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
    const rdv_evidence *of[N_MEMBERS];
} check_members;

static uint64_t read_number(const check_members *members, enum member which)
{
    return read_count(members->of[which]);
}

/* As rdv_build_flag_of(), that it is true. */
static bool is_true(rdv_chain_builder *m, const rdv_evidence *value)
{
    if (is_of(value, RDV_EVIDENCE_TEXT))
        return rdv_build_flag_named(rdv_cstring(m->arena, value->text)) == 1;
    return (is_of(value, RDV_EVIDENCE_FLAG) && value->number != 0) || number_of(value) == 1;
}

/* One check. */
static void read_check(rdv_chain_builder *m, rdv_str method, const check_members *members,
                       rdv_check *out)
{
    const rdv_evidence *verdicts = members->of[VERDICTS];
    size_t n = is_of(verdicts, RDV_EVIDENCE_LIST) ? count_children(verdicts) : 0;
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
    const rdv_evidence *verdict = rdv_evidence_first(verdicts);
    for (size_t i = 0; i < n; i++, verdict = verdict->next)
        read_verdict(m, verdict, &out->verdicts[i]);
    out->confidence = read_share(m, members->of[CONFIDENCE]);
    out->coverage = read_coverage(m, members->of[COVERAGE]);
    const rdv_evidence *first = members->of[FIRST_ERROR];
    bool unknown =
        !first || /* what is not said is not "none" */
        (first->type == RDV_EVIDENCE_TEXT && rdv_str_eq(first->text, RDV_STR("unknown")));
    out->first_error = unknown ? RDV_STEP_UNKNOWN : read_index(m, first, RDV_NO_STEP);
    out->n_unknown = (size_t)read_number(members, N_UNKNOWN);
    out->calls = read_number(members, N_CALLS);
    out->prompt_tokens = read_number(members, PROMPT_TOKENS);
    out->completion_tokens = read_number(members, COMPLETION_TOKENS);
    out->skipped = is_true(m, members->of[SKIPPED]);
    out->checker = text_of(m, members->of[CHECKER], names[CHECKER]);
    out->profile = text_of(m, members->of[PROFILE], names[PROFILE]);
}

/* A member, of whose evidence no more is decoded than is asked for. */
static const rdv_evidence *get_member(rdv_chain_builder *m, const char *name)
{
    return rdv_evidence_member(m->in, name, m->evidence_numbers, m->arena);
}

/* The members of the check at the top of the record. */
static check_members top_check(rdv_chain_builder *m)
{
    check_members members = {0};
    for (size_t i = 0; i < CHECKER; i++)
        members.of[i] = get_member(m, names[i]);
    return members;
}

static check_members check_under(const rdv_evidence *object)
{
    check_members members;
    for (size_t i = 0; i < N_MEMBERS; i++)
        members.of[i] = member_of(object, names[i]);
    return members;
}

/* What a record says under "checks" may be the user's own, where no method stands at its top. */
static bool is_check(const rdv_evidence *value)
{
    const rdv_evidence *verdicts = member_of(value, "verdicts");
    const rdv_evidence *skipped = member_of(value, "skipped");
    double confidence = number_of(member_of(value, "confidence"));
    rdv_verdict_kind is;
    if (is_of(verdicts, RDV_EVIDENCE_LIST) && verdicts->children.first) {
        const rdv_evidence *verdict = member_of(verdicts->children.first, "verdict");
        return is_of(verdict, RDV_EVIDENCE_TEXT) && rdv_verdict_named(verdict->text, &is) == RDV_OK;
    }
    return (confidence > 0 && confidence <= 1) ||
           (is_of(skipped, RDV_EVIDENCE_FLAG) && skipped->number != 0);
}

/* All those under "checks" but the one that stands at the top too; p == NULL: none does. */
static size_t read_under(rdv_chain_builder *m, const rdv_evidence *checks, rdv_str last,
                         rdv_check *out)
{
    size_t n = 0;
    for (const rdv_evidence *check = rdv_evidence_first(checks); check; check = check->next) {
        if (last.p ? rdv_str_eq(check->name, last) : !is_check(check))
            continue;
        check_members members = check_under(check);
        read_check(m, check->name, &members, &out[n++]);
    }
    return n;
}

void rdv_native_checks(rdv_chain_builder *m)
{
    bool own = !rdv_members_say_check(m->in); /* the member is the user's own, if it is there */
    rdv_str last = own ? (rdv_str){0} : rdv_build_text(m, "method");
    const rdv_evidence *checks = get_member(m, "checks");
    if (!is_of(checks, RDV_EVIDENCE_MAP))
        checks = NULL;
    if (!last.p && !checks)
        return;
    if (last.p &&
        rdv_find_char(last, '\0', 0) != RDV_NOT_FOUND) { /* no key of "checks" can hold it */
        bad(m, "the name of a method has a NUL byte");
        return;
    }
    size_t room = count_children(checks) + 1;
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
