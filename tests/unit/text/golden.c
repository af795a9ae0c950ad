/* SPDX-License-Identifier: Apache-2.0 */
#include "golden.h"

#include "../test.h"

#include <stdio.h>
#include <stdlib.h>

rdv_str golden_text(const char *file, rdv_arena *arena)
{
    const char *source = getenv("RDV_SOURCE");
    rdv_str path = rdv_str_printf(arena, "%s/tests/golden/%s", source ? source : ".", file);
    assert_non_null(path.p);
    FILE *in = fopen(path.p, "rb");
    if (!in)
        fail_msg("%s cannot be opened", path.p);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(in);
    rewind(in);
    char *p = rdv_alloc(arena, size);
    assert_non_null(p);
    assert_int_equal(fread(p, 1, size, in), size);
    fclose(in);
    return (rdv_str){p, size};
}

/* Take the backslash off lines that begin with "\@". */
static rdv_str unescaped(rdv_str text, rdv_arena *arena)
{
    rdv_str copy = rdv_str_copy(arena, text);
    assert_non_null(copy.p);
    char *to = (char *)copy.p;
    for (size_t i = 0; i < text.len; i++) {
        bool begins_line = i == 0 || text.p[i - 1] == '\n';
        if (begins_line && text.p[i] == '\\' && i + 1 < text.len && text.p[i + 1] == '@')
            continue;
        *to++ = text.p[i];
    }
    return (rdv_str){copy.p, (size_t)(to - copy.p)};
}

/* The section whose "@" line is at the beginning of *rest, which is moved behind it. */
static golden_section next_section(rdv_str *rest, rdv_arena *arena)
{
    rdv_str line, all = *rest;
    rdv_next_line(rest, &line);
    size_t space = rdv_find_char(line, ' ', 0);
    golden_section s = {.name = rdv_slice(line, 1, space),
                        .rest = rdv_trim(rdv_slice(line, space, line.len))};
    size_t begin = rest->p ? (size_t)(rest->p - all.p) : all.len;
    size_t end = rdv_starts(*rest, RDV_STR("@")) ? begin - 1 : rdv_find(all, RDV_STR("\n@"), begin);
    *rest = rdv_slice(all, end == RDV_NOT_FOUND ? all.len : end + 1, all.len);
    if (end == RDV_NOT_FOUND)
        end = all.len > begin && all.p[all.len - 1] == '\n' ? all.len - 1 : all.len;
    s.text = unescaped(rdv_slice(all, begin, end), arena);
    return s;
}

golden_case *golden_read(const char *file, rdv_arena *arena, size_t *n)
{
    golden_case *cases = NULL;
    size_t cap = 0, cap_sections = 0;
    rdv_str rest = golden_text(file, arena);
    size_t first = rdv_find(rest, RDV_STR("\n@case "), 0);
    assert_true(first != RDV_NOT_FOUND);
    rest = rdv_slice(rest, first + 1, rest.len);
    *n = 0;
    while (rest.len > 0) {
        golden_section s = next_section(&rest, arena);
        if (rdv_str_eq(s.name, RDV_STR("case"))) {
            assert_true(RDV_PUSH_ROOM(arena, cases, *n, cap));
            cases[(*n)++] = (golden_case){.name = s.rest};
            cap_sections = 0;
        } else if (!rdv_str_eq(s.name, RDV_STR("#"))) {
            golden_case *c = &cases[*n - 1];
            assert_true(RDV_PUSH_ROOM(arena, c->sections, c->n, cap_sections));
            c->sections[c->n++] = s;
        }
    }
    return cases;
}

const golden_section *golden_find(const golden_case *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++)
        if (rdv_str_eq(c->sections[i].name, rdv_str_of(name)))
            return &c->sections[i];
    return NULL;
}

const golden_section *golden_need(const golden_case *c, const char *name)
{
    const golden_section *found = golden_find(c, name);
    if (!found)
        fail_msg("case \"%.*s\" has no @%s", RDV_FMT(c->name), name);
    return found;
}
