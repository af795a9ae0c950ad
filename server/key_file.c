/* SPDX-License-Identifier: Apache-2.0 */
#include "server/key_file.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <sys/random.h>

#define HASH "sha256:"
#define PREFIX "rdv-" /* of a key, so that people and scanners know what it is */

static int digit_of(char c)
{
    c = rdv_lower(c);
    return rdv_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_hash(rdv_str hex, unsigned char hash[ACCESS_HASH_BYTES])
{
    if (hex.len != (size_t)2 * ACCESS_HASH_BYTES)
        return false;
    for (size_t i = 0; i < ACCESS_HASH_BYTES; i++) {
        int high = digit_of(hex.p[2 * i]), low = digit_of(hex.p[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        hash[i] = (unsigned char)(high * 16 + low);
    }
    return true;
}

static int read_line(rdv_str line, access_list *a, rdv_error *err)
{
    unsigned char hash[ACCESS_HASH_BYTES];
    size_t space = rdv_find_char(line, ' ', 0);
    rdv_str value =
        space == RDV_NOT_FOUND ? (rdv_str){0} : rdv_trim(rdv_slice(line, space, line.len));
    if (!rdv_starts(value, RDV_STR(HASH)) ||
        !read_hash(rdv_slice(value, sizeof HASH - 1, value.len), hash))
        return rdv_fail(err, RDV_E_INPUT,
                        "a key is a name and " HASH " with 64 digits; --new-key NAME adds one");
    return access_add(a, rdv_slice(line, 0, space), hash, err);
}

int key_file_read(rdv_str text, access_list *a, rdv_error *err)
{
    size_t number = 1;
    for (size_t at = 0; at < text.len; number++) {
        size_t end = rdv_find_char(text, '\n', at);
        rdv_str line = rdv_trim(rdv_slice(text, at, end));
        at = end == RDV_NOT_FOUND ? text.len : end + 1;
        int rc = line.len == 0 || line.p[0] == '#' ? RDV_OK : read_line(line, a, err);
        if (rc == RDV_E_INPUT)
            return rdv_wrap(err, rc, "line %zu", number);
        if (rc != RDV_OK)
            return rc;
    }
    if (a->n == 0)
        return rdv_fail(err, RDV_E_INPUT, "there is no key in it; --new-key NAME adds one");
    return RDV_OK;
}

static void add_hex(rdv_buf *b, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(b, "%02x", bytes[i]);
}

int key_file_make(rdv_str name, rdv_arena *arena, rdv_str *key, rdv_str *line, rdv_error *err)
{
    rdv_buf b;
    unsigned char random[ACCESS_KEY_BYTES], hash[ACCESS_HASH_BYTES];
    if (getrandom(random, sizeof random, 0) != sizeof random)
        return rdv_fail(err, RDV_E_IO, "the system has no random bytes");
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, PREFIX);
    add_hex(&b, random, sizeof random);
    *key = rdv_buf_str(&b);
    access_hash(*key, hash);
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, name);
    rdv_buf_lit(&b, " " HASH);
    add_hex(&b, hash, sizeof hash);
    rdv_buf_lit(&b, "\n");
    *line = rdv_buf_str(&b);
    return key->p && line->p ? RDV_OK : rdv_no_memory(err);
}
