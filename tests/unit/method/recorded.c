/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded replies of verifiers, where they are there (RDV_SHARED); else the test is skipped. They
 * were asked to end in yes or no: those that do must be read so. */
#include "reply/reply.h"

#include "../test.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#define MAX_LINE ((size_t)8 << 20)

typedef struct counts {
    size_t replies, read;
    size_t said, right; /* replies that say `answer is "yes"` or "no", and those read so */
    size_t paper;       /* replies read the same in the paper's profile */
} counts;

/* What the reply says in so many words, the last time it does. */
static bool says(rdv_str reply, rdv_verdict_kind *out)
{
    size_t yes = rdv_find_last(reply, RDV_STR("answer is \"yes\""));
    size_t no = rdv_find_last(reply, RDV_STR("answer is \"no\""));
    if (yes == RDV_NOT_FOUND && no == RDV_NOT_FOUND)
        return false;
    bool is_yes = no == RDV_NOT_FOUND || (yes != RDV_NOT_FOUND && yes > no);
    *out = is_yes ? RDV_SUPPORT : RDV_CONTRADICT;
    return true;
}

static void count_reply(rdv_str reply, counts *n)
{
    rdv_verdict_kind robust = RDV_UNKNOWN, paper = RDV_UNKNOWN, said;
    reply_ground by;
    n->replies++;
    n->read += reply_yes_no(reply, RDV_ROBUST, &robust, &by) == RDV_OK;
    n->paper += reply_yes_no(reply, RDV_PAPER, &paper, &by) == RDV_OK && paper == robust;
    if (!says(reply, &said))
        return;
    n->said++;
    n->right += robust == said;
}

static void count_replies(const json_t *list, counts *n)
{
    size_t i;
    json_t *reply;
    json_array_foreach(list, i, reply)
    {
        if (json_is_string(reply))
            count_reply((rdv_str){json_string_value(reply), json_string_length(reply)}, n);
    }
}

static const char *const outputs[] = {"grounding_check_outputs", "reasoning_check_outputs",
                                      "calculation_check_outputs"};
static counts totals[3];

/* One question: its chains, their steps, three checks each. Some steps are null. */
static void count_record(const json_t *record)
{
    size_t c, s;
    json_t *chain, *step;
    json_array_foreach(json_object_get(record, "verify_model_results"), c, chain)
    {
        json_array_foreach(chain, s, step)
        {
            for (size_t k = 0; k < 3; k++)
                count_replies(json_object_get(step, outputs[k]), &totals[k]);
        }
    }
}

static bool count_file(const char *shared, const char *name)
{
    static char line[MAX_LINE];
    char path[1024];
    snprintf(path, sizeof path,
             "%s/verify_cot/results/chatgpt3.5/verification/sequential/%s_verification.jsonl.gz",
             shared, name);
    gzFile in = gzopen(path, "rb");
    if (!in)
        return false;
    while (gzgets(in, line, sizeof line)) {
        json_t *record = json_loads(line, 0, NULL);
        assert_non_null(record);
        count_record(record);
        json_decref(record);
    }
    gzclose(in);
    return true;
}

/* A good half of the calculation checks say "not applicable" instead, which is no verdict. */
static void test_read_yes_no__recorded(void **state)
{
    for (size_t k = 0; k < 3; k++) {
        const counts *n = &totals[k];
        printf(
            "%s: %zu replies, %zu read; %zu say yes or no, %zu read so; %zu alike by the paper\n",
            outputs[k], n->replies, n->read, n->said, n->right, n->paper);
        assert_true(n->said > 100);
        assert_true((double)n->right >= 0.99 * (double)n->said);
    }
    (void)state;
}

int main(void)
{
    static const char *const names[] = {"addsub", "date", "last_letters"};
    const char *shared = getenv("RDV_SHARED");
    size_t files = 0;
    for (size_t i = 0; i < 3 && shared; i++)
        files += count_file(shared, names[i]);
    if (files == 0) {
        printf("skipped: no recorded replies in RDV_SHARED\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read_yes_no__recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
