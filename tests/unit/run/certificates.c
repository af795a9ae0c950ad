/* SPDX-License-Identifier: Apache-2.0 */
/* Which file of certificates is taken, on systems that have one or another. */
#include "../test.h"

#include "run/http.h"

#include <errno.h>
#include <string.h>

static const char *there[2]; /* the files that the system has */

int __wrap_access(const char *path, int mode);
int __wrap_access(const char *path, int mode)
{
    (void)mode;
    for (size_t i = 0; i < 2; i++)
        if (there[i] && strcmp(path, there[i]) == 0)
            return 0;
    errno = ENOENT;
    return -1;
}

static void expect(const char *named, const char *usual, const char *wanted)
{
    const char *found = http_certificates(named, usual);
    if (wanted)
        assert_string_equal(found, wanted);
    else
        assert_null(found);
}

#define DEBIAN "/etc/ssl/certs/ca-certificates.crt"
#define FEDORA "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"
#define SUSE "/etc/ssl/ca-bundle.pem"

static void test_certificates__of_each_distribution(void **state)
{
    (void)state;
    static const char *const files[] = {DEBIAN, FEDORA, "/etc/pki/tls/certs/ca-bundle.crt", SUSE,
                                        "/etc/ssl/cert.pem"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        there[0] = files[i];
        expect(NULL, "/not/there.pem", files[i]);
        expect(NULL, NULL, files[i]);
        expect("", NULL, files[i]); /* a variable that says nothing */
    }
    there[0] = NULL;
    expect(NULL, DEBIAN, NULL);
}

static void test_certificates__libcurls_own_file_stays(void **state)
{
    (void)state;
    there[0] = SUSE, there[1] = DEBIAN;
    expect(NULL, SUSE, NULL);
    expect(NULL, DEBIAN, NULL);
    expect(NULL, FEDORA, DEBIAN);
}

/* A file that the user names is never replaced by another: a server that it does not vouch for is
 * not trusted. */
static void test_certificates__what_the_user_names_comes_first(void **state)
{
    (void)state;
    there[0] = DEBIAN, there[1] = NULL;
    expect("/mine.pem", DEBIAN, "/mine.pem");
    expect("/mine.pem", NULL, "/mine.pem");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificates__of_each_distribution),
        cmocka_unit_test(test_certificates__libcurls_own_file_stays),
        cmocka_unit_test(test_certificates__what_the_user_names_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
