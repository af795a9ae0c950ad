/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a batch's files, and what is said of those that cannot be written. */
#include "../test.h"
#include "run/batch_file.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[32];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/rdv-file-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void test_name__has_the_number_before_its_ending(void **state)
{
    static const char *const names[][2] = {{"r.jsonl", "r-007.jsonl"},
                                           {"a.b.jsonl", "a.b-007.jsonl"},
                                           {"r", "r-007"},
                                           {".hidden", ".hidden-007"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        batch_file f;
        char name[64], named[64];
        snprintf(name, sizeof name, "%s/%s", folder, names[i][0]);
        snprintf(named, sizeof named, "%s/%s", folder, names[i][1]);
        assert_int_equal(batch_file_begin(&f, name, 7, NULL), RDV_OK);
        assert_string_equal(f.path, named);
        assert_int_equal(access(named, F_OK), -1); /* not before it is complete */
        char *whole = batch_file_absolute(&f);
        assert_string_equal(whole, named);
        free(whole);
        batch_file_release(&f); /* takes back what was begun */
    }
}

static void test_name__from_the_working_folder(void **state)
{
    batch_file f = {.path = strdup("r-001.jsonl")};
    char *here = get_current_dir_name(), *whole = batch_file_absolute(&f);
    assert_memory_equal(whole, here, strlen(here));
    assert_string_equal(whole + strlen(here), "/r-001.jsonl");
    free(here), free(whole);
    batch_file_release(&f);
}

static void test_begin__where_nothing_can_be_written(void **state)
{
    batch_file f;
    rdv_error err;
    assert_int_equal(batch_file_begin(&f, "/nonexistent/r.jsonl", 1, &err), RDV_E_IO);
    assert_string_equal(err.msg,
                        "/nonexistent/r-001.jsonl: cannot be written: No such file or directory");
    batch_file_release(&f);
}

/* A full disk is noticed at the latest when the file is closed. */
static void test_close__on_a_full_disk(void **state)
{
    batch_file f;
    rdv_error err;
    char name[64], why[128];
    snprintf(name, sizeof name, "%s/r.jsonl", folder);
    assert_int_equal(batch_file_begin(&f, name, 1, NULL), RDV_OK);
    fclose(f.file);
    f.file = fopen("/dev/full", "we");
    assert_non_null(f.file);
    snprintf(why, sizeof why, "%s/r-001.jsonl: cannot be written: No space left on device", folder);
    assert_int_equal(batch_file_add(&f, RDV_STR("{}\n"), &err), RDV_OK);
    assert_int_equal(batch_file_close(&f, &err), RDV_E_IO);
    assert_string_equal(err.msg, why);
    f.file = fopen("/dev/full", "we");
    setvbuf(f.file, NULL, _IONBF, 0);
    assert_int_equal(batch_file_add(&f, RDV_STR("{}\n"), &err), RDV_E_IO);
    assert_string_equal(err.msg, why);
    batch_file_release(&f);
}

/* What stands at the place of a complete file is not replaced. */
static void test_name__that_is_taken(void **state)
{
    batch_file f;
    rdv_error err;
    char name[64], taken[64];
    snprintf(name, sizeof name, "%s/r.jsonl", folder);
    snprintf(taken, sizeof taken, "%s/r-001.jsonl", folder);
    assert_int_equal(batch_file_begin(&f, name, 1, NULL), RDV_OK);
    fclose(fopen(taken, "w"));
    assert_int_equal(batch_file_close(&f, NULL), RDV_OK);
    assert_int_equal(batch_file_name(&f, &err), RDV_E_IO);
    assert_non_null(strstr(err.msg, "cannot be put in place: File exists"));
    batch_file_release(&f);
    assert_int_equal(unlink(taken), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_name__has_the_number_before_its_ending),
        cmocka_unit_test(test_name__from_the_working_folder),
        cmocka_unit_test(test_begin__where_nothing_can_be_written),
        cmocka_unit_test(test_close__on_a_full_disk),
        cmocka_unit_test(test_name__that_is_taken),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
