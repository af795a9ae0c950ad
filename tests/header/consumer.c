/* SPDX-License-Identifier: Apache-2.0 */
/* A program outside the project, valid in C and C++: sees only the public headers, links only the
 * shared library. Fails to build when a header is not strict or a symbol is not exported. */
#include <rederive/base.h>
#include <rederive/chain.h>

#include <stdio.h>
#include <string.h>

static int failures;

static void expect(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "failed: %s\n", what);
        failures++;
    }
}

static void use_errors(void)
{
    rdv_error err;
    memset(&err, 0, sizeof err);
    int code = rdv_fail(&err, RDV_E_INPUT, "line %d is bad", 3);
    code = rdv_wrap(&err, code, "file.jsonl");
    expect(code == RDV_E_INPUT && err.code == RDV_E_INPUT, "a fault keeps its code");
    expect(strcmp(err.msg, "file.jsonl: line 3 is bad") == 0, "a message gains its context");
    expect(rdv_fail(NULL, RDV_E_IO, "unheard") == RDV_E_IO, "an error may be NULL");
}

static void use_names(void)
{
    rdv_kind kind = RDV_KIND_AUTO;
    expect(rdv_kind_named(RDV_STR("latex"), &kind) == RDV_OK && kind == RDV_KIND_LATEX, "a kind");
    expect(rdv_kind_named(RDV_STR("colour"), &kind) == RDV_NONE, "no such kind");
    expect(strcmp(rdv_verdict_name(RDV_CONTRADICT), "contradict") == 0, "a verdict's name");
}

static void use_notes(void)
{
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena) {
        expect(false, "an arena");
        return;
    }
    rdv_evidence *map = rdv_evidence_map(arena, NULL, RDV_STR(""));
    rdv_evidence_number(arena, map, RDV_STR("value"), 42);
    const rdv_evidence *value = rdv_evidence_get(map, RDV_STR("value"));
    expect(value && value->number == 42, "a note is found by its name");
    rdv_arena_free(&arena);
    expect(arena == NULL, "a freed arena leaves NULL");
}

int main(void)
{
    use_errors();
    use_names();
    use_notes();
    return failures ? 1 : 0;
}
