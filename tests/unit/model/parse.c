/* SPDX-License-Identifier: Apache-2.0 */
/* The linker gives this program's calls of malloc() to __wrap_malloc(), see meson.build. */
#include "../test.h"
#include "model/parse.h"

#include <stdlib.h>

static size_t until_failure;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return until_failure && --until_failure == 0 ? NULL : __real_malloc(size);
}

/* jansson's lexer drops the byte that it has no room for: "does not support" must not lose "not".
 */
static void test_parse_json__out_of_memory(void **state)
{
    static const char said[] =
        "Solution 1 does not support the conclusion in Solution 2, and 2 + 3 = 5.";
    char text[200];
    size_t n = 0;
    int code = RDV_E_NOMEM;
    snprintf(text, sizeof text, "{\"content\": \"%s\", \"n\": 1}", said);
    json_set_alloc_funcs(malloc, free);
    for (; code == RDV_E_NOMEM; n++) {
        json_t *root;
        until_failure = n + 1;
        code = parse_json(rdv_str_of(text), false, &root, NULL);
        until_failure = 0;
        if (code != RDV_OK)
            continue;
        assert_string_equal(json_string_value(json_object_get(root, "content")), said);
        json_decref(root);
    }
    assert_int_equal(code, RDV_OK);
    assert_in_range(n, 8, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_json__out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
