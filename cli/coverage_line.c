/* SPDX-License-Identifier: Apache-2.0 */
#include "coverage_line.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "chain/coverage.h"
#include "data/write.h"

void coverage_line(const rdv_coverage *coverage)
{
    rdv_arena *arena = rdv_arena_new(0); /* the run's is gone at its end */
    rdv_str line = arena ? coverage_says(coverage, arena) : (rdv_str){0};
    if (line.len)
        fprintf(stderr, "%.*s\n", RDV_FMT(line));
    rdv_arena_free(&arena);
}

void coverage_json(const rdv_coverage *coverage, FILE *out)
{
    rdv_buf b;
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena)
        return;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add_char(&b, '{'); /* rdv_json_name() looks at the character before */
    rdv_write_coverage(&b, coverage);
    rdv_str text = rdv_buf_str(&b);
    if (text.p)
        fprintf(out, ",%.*s", RDV_FMT(rdv_slice(text, 1, text.len)));
    rdv_arena_free(&arena);
}
