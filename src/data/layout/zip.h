/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The members of a zip file (PKWARE's APPNOTE 6.3.10, with zip64), stored, deflated or packed with
 * zstd. What the file's directory lists counts: a member that was written again under the same name
 * replaces the earlier one, as for every reader of zip files. docs/adr/0032 says why no library
 * does this. */
#include "base/buf.h"

#define RDV_MAX_ZIP_MEMBERS ((size_t)1000000)
/* A member of more than RDV_ZIP_BOMB_BYTES that unpacks to more than RDV_ZIP_BOMB_RATIO times its
 * packed size is taken for an attack on the reader's memory and time, and so is the whole file. */
#define RDV_ZIP_BOMB_BYTES ((size_t)16 << 20)
#define RDV_ZIP_BOMB_RATIO 1000

typedef struct rdv_zip_member {
    rdv_str name;              /* as written; may hold anything, "../x" too */
    uint64_t header;           /* where its local header begins */
    uint64_t packed, unpacked; /* bytes, as the directory states them */
    uint32_t crc;
    uint16_t method, flags;
} rdv_zip_member;

typedef struct rdv_zip {
    int file; /* borrowed */
    uint64_t size;
    rdv_zip_member *members; /* in the order of the directory, without replaced ones */
    size_t n;
} rdv_zip;

/* Read the directory of the file with descriptor `file`, which must stay open; the members are in
 * `arena`. Nothing has to be closed. Faults: RDV_E_FORMAT (damaged, cut short, in several parts,
 * members that overlap, more than RDV_MAX_ZIP_MEMBERS), RDV_E_IO, RDV_E_NOMEM. */
int rdv_zip_open(rdv_zip *zip, int file, rdv_arena *arena, rdv_error *err);
/* Unpack a member to the end of `out` and check its size and checksum. Faults: RDV_E_INPUT (this
 * member is damaged, encrypted, or packed in another way), RDV_E_LIMIT (more than `max` bytes),
 * RDV_E_FORMAT (a zip bomb), RDV_E_IO, RDV_E_NOMEM. */
int rdv_zip_read(const rdv_zip *zip, const rdv_zip_member *member, size_t max, rdv_buf *out,
                 rdv_error *err);
