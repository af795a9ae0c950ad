/* SPDX-License-Identifier: Apache-2.0 */
/* libxgboost is opened late: what is said where it is missing, or is another library. */
#include "../test.h"

#include "reward/xgboost.h"

#if __has_include(<xgboost/c_api.h>)
#include <xgboost/c_api.h>

/* Our declarations are those of its header, if that is installed: else this does not compile. */
#define DECLARED_ALIKE(name)                                                                       \
    _Static_assert(                                                                                \
        __builtin_types_compatible_p(__typeof__(&name), __typeof__(((xgboost *)0)->name)), #name);
XGBOOST_FUNCTIONS(DECLARED_ALIKE)
#endif

static int open_any(const char *const *files, rdv_error *err)
{
    xgboost library;
    return xgboost_open(&library, files, err);
}

static void test_open__finds_the_functions(void **state)
{
    xgboost library;
    rdv_error err = {0};
    assert_int_equal(xgboost_open(&library, XGBOOST_FILES, &err), RDV_OK);
    BoosterHandle booster;
    assert_int_equal(library.XGBoosterCreate(NULL, 0, &booster), 0);
    assert_int_equal(library.XGBoosterFree(booster), 0);
}

static void test_open__the_second_name_does_too(void **state)
{
    rdv_error err = {0};
    assert_int_equal(
        open_any((const char *const[]){"libnowhere.so.0", "libxgboost.so.0", NULL}, &err), RDV_OK);
}

static void test_open__says_which_package_is_missing(void **state)
{
    rdv_error err = {0};
    assert_int_equal(open_any((const char *const[]){"libnowhere.so.0", NULL}, &err), RDV_E_IO);
    assert_non_null(strstr(err.msg, "libxgboost0"));
    assert_null(strchr(err.msg, '\n'));
}

static void test_open__says_what_another_library_lacks(void **state)
{
    rdv_error err = {0};
    assert_int_equal(open_any((const char *const[]){"libz.so.1", NULL}, &err), RDV_E_IO);
    assert_string_equal(err.msg, "libz.so.1 has no function XGBGetLastError");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open__finds_the_functions),
        cmocka_unit_test(test_open__the_second_name_does_too),
        cmocka_unit_test(test_open__says_which_package_is_missing),
        cmocka_unit_test(test_open__says_what_another_library_lacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
