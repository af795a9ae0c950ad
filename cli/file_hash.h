/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The SHA-256 of files. */
#include <nettle/sha2.h>
#include <rederive/base.h>

#define FILE_HASH_TEXT (2 * SHA256_DIGEST_SIZE + 1)

/* Add a file's bytes to `sha`, and their number to *size. RDV_E_IO: it cannot be read; `what`
 * begins the message ("--data"). */
int file_hash_add(struct sha256_ctx *sha, const char *what, const char *path, uint64_t *size,
                  rdv_error *err);
/* The digest as hexadecimal digits; `sha` begins anew. */
void file_hash_text(struct sha256_ctx *sha, char text[FILE_HASH_TEXT]);
