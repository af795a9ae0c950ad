/* SPDX-License-Identifier: Apache-2.0 */
/* Which hosts requests may name. */
#include "../test.h"
#include "server/http_host.h"

static const rdv_str hosts[] = {{"gpu.example", 11}, {"Other", 5}};

static void check(const char *listen, const char *host, bool allowed)
{
    serve_options o = {.listen = listen, .hosts = hosts, .n_hosts = 2};
    if (http_host_is_allowed(rdv_str_of(host), &o) != allowed)
        fail_msg("listening at %s, \"%s\" is %s", listen, host, allowed ? "refused" : "accepted");
}

static void test_host__of_this_machine(void **state)
{
    static const char *const ours[] = {
        "localhost",   "LocalHost:8080", "localhost.", "a.localhost", "a.b.LOCALHOST:1",
        "127.0.0.1",   "127.9.9.9:80",   "[::1]",      "[::1]:8080",  "[::ffff:127.0.0.1]",
        "gpu.example", "GPU.example:80", "other",      "localhost:",  "gpu.example.",
    };
    static const char *const others[] = {
        "",
        "[]",
        ":80",
        "evil.example",
        "..localhost",
        "a..localhost",
        "-.localhost",
        ".localhost",
        "[localhost]",
        "[gpu.example]",
        "localhost.evil.example",
        "evillocalhost",
        "xlocalhost",
        "a.localhosx",
        "192.168.0.7",
        "[::2]",
        "[::1",
        "[::1]x",
        "[::1]:x",
        "localhost:x",
        "localhost:123456",
        "[fe80::1]",
        "1.2.3.4.5",
        "gpu",
        "[::ffff:128.0.0.1]",
        "0.0.0.0",
        "[::]",
        "a-name-that-is-longer-than-any-numeric-address-may-be",
    };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        check("127.0.0.1:8080", ours[i], true);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        check("127.0.0.1:8080", others[i], false);
}

/* RFC 9112, section 3.2: what is no host and port at all is refused whoever asks. */
static void test_host__form(void **state)
{
    static const char *const good[] = {"",      ":80",          "a",       "a:",  "a_b.example:80",
                                       "[::1]", "[fe80::1]:80", "1.2.3.4", "%61", "a,b"};
    static const char *const bad[] = {"a b", "a/b",      "me@a", "a:b",     "a:1:2", "a:123456",
                                      "[",   "[]",       "[::1", "[::1]80", "[a/b]", "a#",
                                      "a?",  "\xc3\xa4", "::1",  "a\tb",    "a\\b"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!http_host_is_valid(rdv_str_of(good[i])))
            fail_msg("\"%s\" is refused", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (http_host_is_valid(rdv_str_of(bad[i])))
            fail_msg("\"%s\" is accepted", bad[i]);
    assert_false(http_host_is_valid((rdv_str){"a\0b", 3}));
}

/* A numeric address needs no name that could be changed to lead here. */
static void test_host__that_is_listened_at(void **state)
{
    check("192.168.0.7:80", "192.168.0.7", true);
    check("192.168.0.7:80", "192.168.0.8", false);
    check("[fe80::1]:80", "[FE80:0::1]:80", true);
    check("[fe80::1]:80", "[fe80::2]", false);
    check("0.0.0.0:80", "192.168.0.8", true);
    check("[::]:80", "192.168.0.8:80", true);
    check("[::]:80", "[2001:db8::1]", true);
    check("[::]:80", "evil.example", false);
    check("name.example:80", "192.168.0.7", false);
    check("name.example:80", "[::1]", true);
    check("[::1", "192.168.0.7", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host__of_this_machine),
        cmocka_unit_test(test_host__that_is_listened_at),
        cmocka_unit_test(test_host__form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
