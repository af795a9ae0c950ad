/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/abilities.h"

static void test_parse__servers(void **state)
{
    static const struct {
        const char *spec, *url, *host, *name;
    } cases[] = {
        {"openai:gpt-4o", "https://api.openai.com/v1", "https://api.openai.com", "gpt-4o"},
        {"openai:ft:gpt:x", "https://api.openai.com/v1", "https://api.openai.com", "ft:gpt:x"},
        {"http://localhost:8000/v1#m", "http://localhost:8000/v1", "http://localhost:8000", "m"},
        {"http://localhost:8000/v1/#m", "http://localhost:8000/v1", "http://localhost:8000", "m"},
        {"http://[::1]/v1#m", "http://[::1]/v1", "http://[::1]", "m"},
        {"http://h:65535/v1#m", "http://h:65535/v1", "http://h:65535", "m"},
        {"http://[::1]:81#org/m#2", "http://[::1]:81", "http://[::1]:81", "org/m#2"},
        {"http://[::1]:80#org/m#2", "http://[::1]", "http://[::1]", "org/m#2"},
        {"HTTPS://Host:443/A/v1#M", "https://host/A/v1", "https://host", "M"},
        {"HTTP://Host:443/A/v1#M", "http://host:443/A/v1", "http://host:443", "M"},
        {"https://h/a/b/v1#Qwen/Q", "https://h/a/b/v1", "https://h", "Qwen/Q"}};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_model_spec spec;
        assert_int_equal(rdv_model_parse(rdv_str_of(cases[i].spec), arena, &spec, NULL), RDV_OK);
        assert_int_equal(spec.kind, RDV_MODEL_SERVER);
        assert_true(rdv_str_eq(spec.url, rdv_str_of(cases[i].url)));
        assert_true(rdv_str_eq(spec.host, rdv_str_of(cases[i].host)));
        assert_true(rdv_str_eq(spec.name, rdv_str_of(cases[i].name)));
    }
    rdv_arena_free(&arena);
}

static void test_parse__transcripts(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_model_spec spec;
    assert_int_equal(rdv_model_parse(RDV_STR("transcript:a/b.db"), arena, &spec, NULL), RDV_OK);
    assert_int_equal(spec.kind, RDV_MODEL_TRANSCRIPT);
    assert_true(rdv_str_eq(spec.path, RDV_STR("a/b.db")));
    assert_null(spec.name.p);
    assert_int_equal(rdv_model_parse(RDV_STR("transcript:x#y#m"), arena, &spec, NULL), RDV_OK);
    assert_true(rdv_str_eq(spec.path, RDV_STR("x#y")));
    assert_true(rdv_str_eq(spec.name, RDV_STR("m")));
    rdv_arena_free(&arena);
}

static void test_parse__model_files(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_model_spec spec;
    assert_int_equal(rdv_model_parse(RDV_STR("builtin"), arena, &spec, NULL), RDV_OK);
    assert_int_equal(spec.kind, RDV_MODEL_BUILTIN);
    assert_null(spec.path.p);
    assert_int_equal(rdv_model_parse(RDV_STR("builtin:a/b.gguf"), arena, &spec, NULL), RDV_OK);
    assert_int_equal(spec.kind, RDV_MODEL_BUILTIN);
    assert_text(spec.path, "a/b.gguf");
    assert_null(spec.name.p);
    assert_int_equal(rdv_model_parse(RDV_STR("builtin:x#y"), arena, &spec, NULL), RDV_OK);
    assert_text(spec.path, "x");
    assert_text(spec.name, "y");
    rdv_arena_free(&arena);
}

static void test_parse__what_is_refused(void **state)
{
    static const char *const wrong[] = {"",
                                        "gpt-4",
                                        "openai:",
                                        "openai",
                                        "http://h/v1",
                                        "http://h/v1#",
                                        "http://#m",
                                        "http:///v1#m",
                                        "http://:80/v1#m",
                                        "http://h:/v1#m",
                                        "http://h:0/v1#m",
                                        "http://h:65536/v1#m",
                                        "http://h:8o/v1#m",
                                        "http://::1/v1#m",
                                        "http://[::1/v1#m",
                                        "http://[]/v1#m",
                                        "http://[::1]x/v1#m",
                                        "https://user:secret@h/v1#m",
                                        "http://h/v1?key=secret#m",
                                        "http://h /v1#m",
                                        "http://h\r\nX: y/v1#m",
                                        "transcript:",
                                        "builtin:",
                                        "builtin:#m",
                                        "builtins",
                                        "ftp://h/v1#m"};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rdv_model_spec spec;
        rdv_error err = {0};
        int rc = rdv_model_parse(rdv_str_of(wrong[i]), arena, &spec, &err);
        assert_int_equal(rc, RDV_E_ARGUMENT);
        assert_null(strstr(err.msg, "secret"));
    }
    rdv_arena_free(&arena);
}

/* What is read from a list: "NAME | URL#ITS NAME, ...". */
static const char *read_list(rdv_arena *arena, const char *spec, rdv_error *err)
{
    rdv_str name;
    rdv_model_spec *specs;
    size_t n;
    rdv_buf b;
    if (rdv_model_parse_servers(rdv_str_of(spec), arena, &name, &specs, &n, err) != RDV_OK)
        return NULL;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_printf(&b, "%.*s |", RDV_FMT(name));
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(&b, " %.*s#%.*s", RDV_FMT(specs[i].url), RDV_FMT(specs[i].name));
    return rdv_buf_str(&b).p;
}

static void test_parse_servers__lists(void **state)
{
    static const struct {
        const char *spec, *wanted;
    } cases[] = {
        {"http://a/v1#m", "m | http://a/v1#m"},
        {"http://a/v1#m=x", "m=x | http://a/v1#m=x"},
        {"http://a/v1#m,http://b:80/v1#m", "m | http://a/v1#m http://b/v1#m"},
        {"http://a/v1#m,HTTP://B/v1#m", "m | http://a/v1#m http://b/v1#m"},
        {"http://a/v1#m,http://a/V1#m", "m | http://a/v1#m http://a/V1#m"},
        {"http://a/v1#m, https://b/v1/#m", "m | http://a/v1#m https://b/v1#m"},
        {"http://a/x,y/v1#m,http://b/v1#m", "m | http://a/x,y/v1#m http://b/v1#m"},
        {"http://a/v1#m,http://b/v1#m=org/x", "m | http://a/v1#m http://b/v1#org/x"},
        {"http://a/v1#m=x,http://b/v1#m=y=z", "m | http://a/v1#x http://b/v1#y=z"},
        {"openai:m,http://a/v1#m", "m | https://api.openai.com/v1#m http://a/v1#m"},
        {"http://a/v1#m,openai:m", "m | http://a/v1#m https://api.openai.com/v1#m"},
    };
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(read_list(arena, cases[i].spec, NULL), cases[i].wanted);
    rdv_str name;
    rdv_model_spec *specs;
    size_t n;
    assert_int_equal(rdv_model_parse_servers(RDV_STR("transcript:a,http://b/v1#m"), arena, &name,
                                             &specs, &n, NULL),
                     RDV_OK);
    assert_int_equal(n, 1);
    assert_text(specs[0].path, "a,http://b/v1");
    rdv_arena_free(&arena);
}

static void test_parse_servers__what_is_refused(void **state)
{
    static const struct {
        const char *spec, *why;
    } cases[] = {
        {"http://a/v1#m,http://a/v1#m", "given twice"},
        {"http://a/v1#m,HTTP://A:80/v1/#m", "http://a/v1 is given twice"},
        {"http://a/v1#m,b/v1#m", "has a comma"},
        {"http://a/v1#m,", "has a comma"},
        {"http://a/v1#m,http://b/v1", "http://b/v1 has no model"},
        {"http://a/v1#m,http://b/v1#", "has no name"},
        {"http://a/v1#m,http://b/v1#n", "write #m=n"},
        {"http://a/v1#m,http://b/v1#=n", "a name is missing"},
        {"http://a/v1#m,http://user:secret@b/v1#m", "no user name"},
    };
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_error err = {0};
        assert_null(read_list(arena, cases[i].spec, &err));
        assert_non_null(strstr(err.msg, cases[i].why));
        assert_null(strstr(err.msg, "secret"));
    }
    rdv_arena_free(&arena);
}

static void test_parse_servers__memory_runs_out(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    assert_survives_no_memory(read_list(arena, "http://a/v1#m,http://b/v1#m", NULL) != NULL,
                              (void)0);
    rdv_arena_free(&arena);
}

static void test_parse__memory_runs_out(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_model_spec spec;
    assert_survives_no_memory(rdv_model_parse(RDV_STR("openai:m"), arena, &spec, NULL) == RDV_OK,
                              (void)0);
    rdv_arena_free(&arena);
}

static void test_abilities__each_has_a_name(void **state)
{
    rdv_abilities all = {.stop = RDV_CAN, .chat = RDV_CANNOT};
    const char *name, *meaning;
    rdv_can can;
    size_t n = 0, known = 0;
    for (; rdv_abilities_entry(&all, n, &name, &meaning, &can) == RDV_OK; n++) {
        assert_true(name[0] && meaning[0]);
        known += can != RDV_CAN_UNKNOWN;
    }
    assert_int_equal(n, sizeof all / sizeof(rdv_can));
    assert_int_equal(known, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse__servers),
        cmocka_unit_test(test_parse__transcripts),
        cmocka_unit_test(test_parse__model_files),
        cmocka_unit_test(test_parse__what_is_refused),
        cmocka_unit_test(test_parse__memory_runs_out),
        cmocka_unit_test(test_parse_servers__lists),
        cmocka_unit_test(test_parse_servers__what_is_refused),
        cmocka_unit_test(test_parse_servers__memory_runs_out),
        cmocka_unit_test(test_abilities__each_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
