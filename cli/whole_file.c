/* SPDX-License-Identifier: Apache-2.0 */
#include "whole_file.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <errno.h>
#include <stdio.h>

static int read_all(FILE *file, const char *path, size_t most, rdv_arena *arena, rdv_str *out,
                    rdv_error *err)
{
    char piece[4096];
    size_t len;
    uint64_t size = 0;
    rdv_buf all;
    rdv_buf_init(&all, arena, most);
    while ((len = fread(piece, 1, sizeof piece, file)) > 0 && rdv_buf_ok(&all)) {
        size += len;
        rdv_buf_add(&all, (rdv_str){piece, len});
    }
    if (ferror(file))
        return rdv_fail(err, RDV_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (size > most)
        return rdv_fail(err, RDV_E_LIMIT, "%s: has more than %zu MiB", path, most >> 20);
    *out = rdv_buf_ok(&all) && !all.len ? RDV_STR("") : rdv_buf_str(&all);
    return out->p ? RDV_OK : rdv_no_memory(err);
}

int whole_file_read(const char *path, size_t most, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    if (strcmp(path, "-") == 0)
        return read_all(stdin, "standard input", most, arena, out, err);
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOENT)
        return RDV_NONE;
    if (!file)
        return rdv_fail(err, RDV_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    int code = read_all(file, path, most, arena, out, err);
    fclose(file);
    return code;
}
