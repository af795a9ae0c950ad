/* SPDX-License-Identifier: Apache-2.0 */
#include "golden_lines.h"

#include "../unit/test.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN 5

FILE *golden_open(const char *file, const char *mode)
{
    char path[4096];
    const char *source = getenv("RDV_SOURCE");
    snprintf(path, sizeof path, "%s/tests/golden/%s", source ? source : ".", file);
    FILE *f = fopen(path, mode);
    if (!f)
        fail_msg("%s cannot be opened", path);
    return f;
}

void golden_compare(const golden_lines *g)
{
    char wanted[LINE_BYTES], line[LINE_BYTES];
    FILE *from = golden_open(g->file, "r");
    size_t differ = 0;
    uint64_t n = 0;
    if (g->head) {
        assert_non_null(fgets(wanted, sizeof wanted, from));
        assert_string_equal(wanted, g->head);
    }
    while (differ < SHOWN && fgets(wanted, sizeof wanted, from)) {
        g->make(g->first + n++, false, line);
        if (strcmp(line, wanted) != 0)
            print_error("%s- %s+ %s", differ++ || !g->head ? "" : g->head, wanted, line);
    }
    fclose(from);
    if (differ)
        fail_msg("%s differs: with a seed as its argument this program prints what a line is over; "
                 "with --write it writes the file, if the change is meant",
                 g->file);
    assert_int_equal(n, g->n);
}

static int write_lines(const golden_lines *g)
{
    char line[LINE_BYTES];
    FILE *to = golden_open(g->file, "w");
    if (g->head)
        fputs(g->head, to);
    for (uint64_t i = 0; i < g->n; i++) {
        g->make(g->first + i, false, line);
        fputs(line, to);
    }
    return fclose(to) ? 2 : 0;
}

int golden_answer(const golden_lines *g, const char *argument)
{
    char line[LINE_BYTES];
    if (strcmp(argument, "--write") == 0)
        return write_lines(g);
    g->make(strtoull(argument, NULL, 10), true, line);
    printf("%s", line);
    return 0;
}
