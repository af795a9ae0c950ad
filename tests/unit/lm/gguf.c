/* SPDX-License-Identifier: Apache-2.0 */
/* Files as they come from outside: every cut, and damage of every kind, is found or harmless. */
#include "tiny.h"

#include <string.h>

static int read_bytes(const char *bytes, size_t size, rdv_error *err)
{
    /* A copy of exactly this size, so that a sanitizer sees one byte too many. */
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    rdv_lm *lm;
    int rc = rdv_lm_read(&lm, (rdv_str){copy, size}, err);
    assert_true(rc == RDV_OK ? lm != NULL : lm == NULL);
    rdv_lm_close(&lm);
    free(copy);
    return rc;
}

static void expect(const char *bytes, size_t size, const char *why)
{
    rdv_error err = {0};
    assert_int_not_equal(read_bytes(bytes, size, &err), RDV_OK);
    if (!strstr(err.msg, why))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, why);
    assert_null(strchr(err.msg, '\n'));
}

static void test_read__every_kind(void **state)
{
    static const char *const names[] = {"f32", "f16", "q8_0", "space"};
    for (size_t i = 0; i < 4; i++) {
        rdv_lm *lm = tiny_open(names[i]);
        rdv_lm_info info;
        rdv_lm_about(lm, &info);
        assert_text(info.name, "tiny");
        assert_int_equal(info.context, 160);
        assert_int_equal(info.width, 64);
        assert_int_equal(info.kv_heads, 2);
        assert_true(info.chat);
        assert_true(info.params > 80000 && info.packed_bytes > 80000);
        if (i < 3)
            assert_true(rdv_str_eq(info.weights, rdv_str_of(names[i])));
        rdv_lm_close(&lm);
        assert_null(lm);
    }
}

static void test_open__no_file(void **state)
{
    rdv_lm *lm;
    rdv_error err = {0};
    assert_int_equal(rdv_lm_open(&lm, "/nonexistent/model.gguf", &err), RDV_E_IO);
    assert_non_null(strstr(err.msg, "/nonexistent/model.gguf"));
    assert_int_equal(rdv_lm_open(&lm, "/", &err), RDV_E_INPUT);
    assert_int_equal(rdv_lm_open(&lm, "/dev/null", &err), RDV_E_INPUT);
    assert_null(lm);
}

/* Where the head ends: the tensors' names are its last texts. */
static size_t head_size(const char *bytes, size_t size)
{
    const char *last = memmem(bytes, size, "blk.1.ffn_down.weight", 21);
    assert_non_null(last);
    return (size_t)(last - bytes) + 64;
}

static void test_read__cut_off(void **state)
{
    size_t size;
    char *bytes = tiny_bytes("q8_0", &size);
    size_t head = head_size(bytes, size);
    for (size_t n = 0; n < size; n += n < 400 ? 1 : n < head ? 61 : 9973)
        assert_int_not_equal(read_bytes(bytes, n, NULL), RDV_OK);
    expect(bytes, size - 40, "cut off");
    expect(bytes, 3, "not a GGUF file");
    expect("", 0, "not a GGUF file");
    free(bytes);
}

static void test_read__damaged_heads(void **state)
{
    size_t size, seed = 1;
    char *bytes = tiny_bytes("q8_0", &size);
    size_t head = head_size(bytes, size);
    for (int i = 0; i < 400; i++) { /* whatever it says then: no crash, and no sanitizer's word */
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t at = (seed >> 33) % (i % 2 ? head : 2000);
        char was = bytes[at];
        bytes[at] = (char)(seed >> 20);
        read_bytes(bytes, size, NULL);
        bytes[at] = was;
    }
    free(bytes);
}

/* Overwrite `n` bytes at `offset` behind the first `text` of the file, expect `why`, undo. */
static void damage(char *bytes, size_t size, const char *text, size_t offset, const void *with,
                   size_t n, const char *why)
{
    char was[16];
    char *at = memmem(bytes, size, text, strlen(text));
    assert_non_null(at);
    at += strlen(text) + offset;
    memcpy(was, at, n);
    memcpy(at, with, n);
    expect(bytes, size, why);
    memcpy(at, was, n);
}

static void test_read__says_what_is_wrong(void **state)
{
    size_t size;
    char *bytes = tiny_bytes("q8_0", &size);
    const uint32_t two = 2, zero = 0, many = 1u << 30;
    const uint64_t huge = (uint64_t)1 << 62;
    const uint16_t nan16 = 0x7e00;
    damage(bytes, size, "GGUF", 0, &two, 4, "GGUF version 2");
    damage(bytes, size, "general.architecture", 12, "mamba", 5, "architecture \"mamba\"; only");
    damage(bytes, size, "llama.block_count", 4, &zero, 4, "llama.block_count is not");
    damage(bytes, size, "llama.context_length", 4, &many, 4, "llama.context_length is not");
    damage(bytes, size, "llama.attention.head_count", 4, "\7", 1, "7 heads");
    damage(bytes, size, "tokenizer.ggml.model", 12, "L", 1, "tokenizer.ggml.model");
    damage(bytes, size, "tokenizer.ggml.tokens", 8, &huge, 8, "too long");
    damage(bytes, size, "<0x41", 0, "<", 1, "token");
    damage(bytes, size, "blk.1.attn_norm", 0, "X", 1, "missing");
    damage(
        bytes, size, "blk.0.ffn_up.weight", 20, &two, 4,
        "architecture \"llama\", but tensor 'blk.0.ffn_up.weight' has weights of type Q4_0; only");
    damage(bytes, size, "blk.0.ffn_up.weight", 20, "\x63", 1, "an unknown type, number 99; only");
    damage(bytes, size, "blk.0.ffn_up.weight", 4, &two, 4, "no whole blocks");
    damage(bytes, size, "blk.0.ffn_up.weight", 12, &two, 4, "is not where");
    damage(bytes, size, "llama.attention.head_count_kv", 4, "\1", 1, "is of 64 x 32, not 64 x 16");
    damage(bytes, size, "blk.0.ffn_up.weight", 24, &huge, 8, "is not where");
    size_t last = size - 34;
    memcpy(bytes + last, &nan16, 2);
    rdv_error err = {0};
    assert_int_equal(read_bytes(bytes, size, &err), RDV_E_INPUT);
    assert_non_null(strstr(err.msg, "no number"));
    free(bytes);
}

static void test_open__no_memory(void **state)
{
    size_t size;
    char *bytes = tiny_bytes("q8_0", &size);
    rdv_lm *lm = NULL;
    assert_survives_no_memory(rdv_lm_read(&lm, (rdv_str){bytes, size}, NULL) == RDV_OK,
                              assert_null(lm));
    rdv_lm_close(&lm);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__every_kind),
        cmocka_unit_test(test_open__no_file),
        cmocka_unit_test(test_read__cut_off),
        cmocka_unit_test(test_read__damaged_heads),
        cmocka_unit_test(test_read__says_what_is_wrong),
        cmocka_unit_test(test_open__no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
