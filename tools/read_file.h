/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Files that the tools of the build read. */
#include "base/arena.h"
#include "base/buf.h"

#include <stdio.h>

/* The file's text into `arena`; RDV_E_IO: it cannot be opened. text->p is NULL when out of memory.
 */
static inline int read_file(const char *path, rdv_arena *arena, rdv_str *text)
{
    char piece[4096];
    size_t len;
    rdv_buf all;
    FILE *file = fopen(path, "r");
    if (!file)
        return RDV_E_IO;
    rdv_buf_init(&all, arena, 0);
    while ((len = fread(piece, 1, sizeof piece, file)) > 0)
        rdv_buf_add(&all, (rdv_str){piece, len});
    fclose(file);
    *text = rdv_buf_str(&all);
    return RDV_OK;
}
