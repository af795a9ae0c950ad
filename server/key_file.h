/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The file of --keys: a line for each key, "NAME sha256:HEX"; lines that begin with # and empty
 * lines do not count. The keys themselves are nowhere. */
#include "server/access.h"

#define KEY_FILE_MOST ((size_t)4 << 20) /* bytes */

/* Add the keys of the file's text. Faults: RDV_E_INPUT with the line ("line 3: ..."), also where
 * there is none; RDV_E_NOMEM. */
int key_file_read(rdv_str text, access_list *a, rdv_error *err);
/* Make a key of random bytes, and its line, in `arena`. Faults: RDV_E_IO (the system has no random
 * bytes), RDV_E_NOMEM. */
int key_file_make(rdv_str name, rdv_arena *arena, rdv_str *key, rdv_str *line, rdv_error *err);
