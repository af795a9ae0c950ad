/* SPDX-License-Identifier: Apache-2.0 */
#include "language/cue.h"

#include "../test.h"
#include "base/str.h"

/* The letters at which a token begins, as cutting the whole text finds them. */
static void find_begins(rdv_str text, bool *begins)
{
    cue_token token;
    for (size_t i = 0; i < text.len; i++)
        begins[i] = false;
    for (size_t at = 0; cue_next_token(text, &at, &token);)
        begins[token.written.p - text.p] = true;
}

static void test_begins_at__as_the_whole_text_is_cut(void **state)
{
    static const char *const texts[] = {
        "How many pens, know-how, show and how?",
        "3how (how) \"how\" \xe2\x80\x9chow\xe2\x80\x9d \xc3\xa9how how\xc3\xa9",
        "\\how \\\\how \\\\\\how how\\how 'how x'how", "\u591ahow \u043ahow ~~how 1.5how"};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        rdv_str text = rdv_str_of(texts[t]);
        bool begins[200];
        assert_true(text.len <= sizeof begins);
        find_begins(text, begins);
        for (size_t i = 0; i < text.len; i++)
            if (rdv_is_alpha(text.p[i]))
                assert_int_equal(cue_begins_at(text, i), begins[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_begins_at__as_the_whole_text_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
