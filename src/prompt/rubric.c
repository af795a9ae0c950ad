/* SPDX-License-Identifier: Apache-2.0 */
#include "prompt/rubric.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"

static bool has_control(rdv_str line)
{
    for (size_t i = 0; i < line.len; i++)
        if (((unsigned char)line.p[i] < ' ' && line.p[i] != '\t') || line.p[i] == 127)
            return true;
    return false;
}

static int check_line(rdv_str line, size_t number, size_t n, rdv_error *err)
{
    if (rdv_utf8_valid(line) < line.len)
        return rdv_fail(err, RDV_E_INPUT, "%zu: a criterion is UTF-8", number);
    if (has_control(line))
        return rdv_fail(err, RDV_E_INPUT, "%zu: a criterion has no control characters", number);
    if (line.len > RUBRIC_MAX_LENGTH)
        return rdv_fail(err, RDV_E_LIMIT, "%zu: a criterion has at most %d bytes", number,
                        RUBRIC_MAX_LENGTH);
    if (n == RUBRIC_MAX_CRITERIA)
        return rdv_fail(err, RDV_E_LIMIT, "%zu: a rubric has at most %d criteria", number,
                        RUBRIC_MAX_CRITERIA);
    return RDV_OK;
}

int rubric_read(rdv_str text, rdv_arena *arena, rdv_str **out, size_t *n, rdv_error *err)
{
    rdv_str *criteria = NULL, line;
    size_t count = 0, cap = 0, number = 0;
    if (text.len > RUBRIC_MAX_BYTES)
        return rdv_fail(err, RDV_E_LIMIT, "1: a rubric has at most %zu bytes", RUBRIC_MAX_BYTES);
    while (rdv_next_line(&text, &line)) {
        rdv_str criterion = rdv_trim(line);
        number++;
        if (!criterion.len || criterion.p[0] == '#')
            continue;
        int r = check_line(criterion, number, count, err);
        if (r != RDV_OK)
            return r;
        if (!RDV_PUSH_ROOM(arena, criteria, count, cap))
            return rdv_no_memory(err);
        criteria[count++] = criterion;
    }
    if (count == 0)
        return rdv_fail(err, RDV_E_INPUT, "1: a rubric has a criterion a line, and none is there");
    *out = criteria;
    *n = count;
    return RDV_OK;
}
