/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a model that is opened from its file. */
#include "../lm/tiny.h"

#include "base/str.h"

#include <nettle/sha2.h>
#include <rederive/run.h>

/* It ends in the beginning of the file's SHA-256, so that another file never answers from an old
 * journal. */
static void test_name__ends_in_the_hash_of_the_file(void **state)
{
    char path[4096], hex[2 * SHA256_DIGEST_SIZE + 1];
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx sha;
    size_t size;
    char *bytes = tiny_bytes("f32", &size);
    (void)state;
    sha256_init(&sha);
    sha256_update(&sha, size, (const uint8_t *)bytes);
    sha256_digest(&sha, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    free(bytes);

    rdv_arena *arena = rdv_arena_new(0);
    rdv_builtin model;
    snprintf(path, sizeof path, "%s/tiny_f32.gguf", getenv("RDV_TINY"));
    assert_int_equal(rdv_builtin_open(path, RDV_STR("mine"), arena, &model, NULL), RDV_OK);
    rdv_str wanted = rdv_str_printf(arena, "mine@%.12s", hex);
    assert_true(rdv_str_eq(model.name, wanted));
    rdv_builtin_close(&model);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_name__ends_in_the_hash_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
