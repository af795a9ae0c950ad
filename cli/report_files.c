/* SPDX-License-Identifier: Apache-2.0 */
#include "report_files.h"

#include "whole_file.h"

#include "base/arena.h"
#include "base/str.h"

#define MOST ((size_t)64 << 20) /* bytes of a file */

static void take_line(struct run *run, rdv_study *study, size_t number, rdv_str line)
{
    rdv_error err = {0};
    int code = rdv_study_add_report(study, line, run->arena, &err);
    run->records++;
    rdv_arena_reset(run->arena);
    if (code == RDV_OK)
        return;
    rdv_wrap(&err, code, "%s:%zu", run->path, number);
    if (code == RDV_E_NOMEM || code == RDV_E_ARGUMENT)
        run_stop(run, code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE, &err);
    else
        run_fail(run, NULL, &err);
}

static void take_file(struct run *run, rdv_study *study, const char *path)
{
    rdv_error err = {0};
    rdv_str text;
    run->path = strcmp(path, "-") == 0 ? "standard input" : path;
    int code = whole_file_read(path, MOST, run->keep, &text, &err);
    if (code != RDV_OK) {
        if (code == RDV_NONE)
            rdv_fail(&err, code, "%s: no such file", path);
        run->unread++;
        run_fail(run, NULL, &err);
        return;
    }
    run->opened++;
    size_t number = 1;
    for (size_t at = 0; at < text.len && !run_stopped(run); number++) {
        size_t end = rdv_find_char(text, '\n', at);
        end = end == RDV_NOT_FOUND ? text.len : end;
        rdv_str line = rdv_trim(rdv_slice(text, at, end));
        if (line.len)
            take_line(run, study, number, line);
        at = end + 1;
    }
}

void report_files_read(struct run *run, rdv_study *study)
{
    const struct list *in = &run->settings->in;
    if (in->n == 0)
        take_file(run, study, "-");
    for (size_t i = 0; i < in->n && !run_stopped(run); i++)
        take_file(run, study, in->items[i]);
}
