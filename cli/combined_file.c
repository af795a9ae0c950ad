/* SPDX-License-Identifier: Apache-2.0 */
#include "combined_file.h"

#include "output.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <errno.h>

#define MAX_BYTES ((size_t)1 << 20)

const char *combined_path(const char *weight)
{
    static const char prefix[] = "combined:";
    size_t n = sizeof prefix - 1;
    return strncmp(weight, prefix, n) == 0 && weight[n] ? weight + n : NULL;
}

static int read_text(FILE *file, const char *path, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    char piece[4096];
    size_t len;
    rdv_buf all;
    rdv_buf_init(&all, arena, MAX_BYTES);
    while ((len = fread(piece, 1, sizeof piece, file)) > 0 && rdv_buf_ok(&all))
        rdv_buf_add(&all, (rdv_str){piece, len});
    if (ferror(file))
        return rdv_fail(err, RDV_E_IO, "%s: %s", path, strerror(errno));
    if (!rdv_buf_ok(&all))
        return rdv_fail(err, RDV_E_LIMIT, "%s: it is longer than 1 MiB", path);
    *out = rdv_buf_str(&all);
    return RDV_OK;
}

int combined_file_read(const char *path, rdv_arena *arena, combined_model *out, rdv_error *err)
{
    rdv_str text;
    FILE *file = fopen(path, "r");
    if (!file)
        return rdv_fail(err, RDV_E_IO, "%s: %s", path, strerror(errno));
    int code = read_text(file, path, arena, &text, err);
    fclose(file);
    if (code == RDV_OK) {
        code = combined_read(text, arena, out, err);
        if (code < 0)
            rdv_wrap(err, code, "%s", path);
    }
    return code;
}

int combined_file_write(const char *path, const combined_model *model, rdv_arena *arena,
                        rdv_error *err)
{
    struct output output;
    rdv_str text = combined_write(model, arena);
    if (!text.p)
        return rdv_no_memory(err);
    int code = output_open(&output, path, arena, err);
    if (code != RDV_OK)
        return code;
    code = output_write(&output, text, err);
    if (code < 0) {
        output_drop(&output);
        return code;
    }
    return output_finish(&output, true, err);
}
