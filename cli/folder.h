/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The files of a folder that is named as an input. */
#include "opt.h"

struct folder_files {
    const char **is;
    size_t n, cap;
    size_t passed_over; /* files of other kinds */
};

bool is_folder(const char *path);
/* Add the files under `folder` that may hold records, by the ends of their names (.jsonl, .json,
 * .csv, .txt, .md, .eval and others, also with .gz), in the order of their names; a folder's own
 * files come before those of its folders. Hidden ones and links to folders are passed over. In
 * `arena`. Faults: RDV_E_IO; RDV_E_LIMIT (100,000 files, 32 folders deep); RDV_E_INPUT: there is no
 * such file; RDV_E_NOMEM. */
int folder_add(struct folder_files *files, const char *folder, rdv_arena *arena, rdv_error *err);
