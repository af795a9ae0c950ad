/* SPDX-License-Identifier: Apache-2.0 */
#include "file_hash.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int file_hash_add(struct sha256_ctx *sha, const char *what, const char *path, uint64_t *size,
                  rdv_error *err)
{
    char bytes[16384];
    size_t n;
    FILE *file = fopen(path, "rb");
    if (!file)
        return rdv_fail(err, RDV_E_IO, "%s %s: cannot be read: %s", what, path, strerror(errno));
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0) {
        sha256_update(sha, n, (const uint8_t *)bytes);
        *size += n;
    }
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? rdv_fail(err, RDV_E_IO, "%s %s: cannot be read", what, path) : RDV_OK;
}

void file_hash_text(struct sha256_ctx *sha, char text[FILE_HASH_TEXT])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(sha, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}
