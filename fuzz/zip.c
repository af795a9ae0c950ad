/* SPDX-License-Identifier: Apache-2.0 */
/* Zip files of any bytes: the directory is read and every member unpacked, within the limits. */
#include "base/buf.h"
#include "data/layout/zip.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_MEMBER ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void unpack_all(const rdv_zip *zip)
{
    for (size_t i = 0; i < zip->n && i < 50; i++) {
        rdv_arena *arena = rdv_arena_new(8 * MAX_MEMBER);
        rdv_buf out;
        rdv_buf_init(&out, arena, 0);
        int rc = rdv_zip_read(zip, &zip->members[i], MAX_MEMBER, &out, NULL);
        if (rc == RDV_OK && (out.len > MAX_MEMBER || out.len != zip->members[i].unpacked))
            abort();
        rdv_arena_free(&arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int file = memfd_create("zip", MFD_CLOEXEC);
    rdv_arena *arena = rdv_arena_new(64 << 20);
    rdv_zip zip;
    if (file >= 0 && pwrite(file, data, size, 0) == (ssize_t)size &&
        rdv_zip_open(&zip, file, arena, NULL) == RDV_OK)
        unpack_all(&zip);
    rdv_arena_free(&arena);
    if (file >= 0)
        close(file);
    return 0;
}
