/* SPDX-License-Identifier: Apache-2.0 */
/* Labels that contradict what is proven, for each kind of label and verdict. */
#include "../score/near.h"

#include "method/label_conflict.h"

#include "base/arena.h"
#include "base/str.h"

#include <stdio.h>

#define N_STEPS 4

/* What the conflicts are: "earlier 0, step 2"; "" for none. marks: a verdict a step: '+' support,
 * '-' contradict, '~' the same by a custom, '0' unrelated, '?' unknown. label: 'n' none, 'u'
 * unknown, else the step. own: a step's own label: '+', '-' or ' '; NULL: it has none. */
static const char *conflicts_of(const char *method, const char *marks, char label, const char *own,
                                bool assume_right, char *room, size_t size)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_verdict verdicts[N_STEPS];
    int8_t is[N_STEPS];
    for (size_t i = 0; i < N_STEPS; i++) {
        rdv_verdict_kind kind = marks[i] == '+'          ? RDV_SUPPORT
                                : strchr("-~", marks[i]) ? RDV_CONTRADICT
                                : marks[i] == '0'        ? RDV_UNRELATED
                                                         : RDV_UNKNOWN;
        verdicts[i] = (rdv_verdict){.step = i, .kind = kind};
        if (marks[i] == '~') {
            verdicts[i].evidence = rdv_evidence_map(arena, NULL, (rdv_str){0});
            rdv_evidence_flag(arena, verdicts[i].evidence, RDV_STR("custom"), true);
        }
        is[i] = (int8_t)(!own || own[i] == ' ' ? -1 : own[i] == '+');
    }
    rdv_check check = {.method = rdv_str_of(method), .verdicts = verdicts, .n_verdicts = N_STEPS};
    rdv_step_labels labels = {RDV_STR("ann"), RDV_STR("correct"), is, N_STEPS};
    rdv_chain chain = {.n_steps = N_STEPS, .step_labels = &labels, .n_step_labels = own != NULL};
    chain.label.kind = label == 'u'   ? RDV_LABEL_UNKNOWN
                       : label == 'n' ? RDV_LABEL_NO_MISTAKE
                                      : RDV_LABEL_AT;
    chain.label.step = (size_t)(label - '0');
    label_conflict *found;
    size_t n, at = 0;
    rdv_error err;
    assert_int_equal(label_conflicts(&chain, &check, assume_right, arena, &found, &n, &err), 0);
    room[0] = '\0';
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(found[i].verdict, &verdicts[found[i].step]);
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(room + at, size - at, "%s%s %zu", i ? ", " : "",
                               label_conflict_name(found[i].is), found[i].step);
    rdv_arena_free(&arena);
    return room;
}

static void test_conflicts(void **state)
{
    static const struct {
        const char *method, *marks;
        char label;
        const char *own, *found;
    } cases[] = {
        {"calculations", "+-++", '1', NULL, ""},
        {"calculations", "+-++", '2', NULL, "earlier 1"},
        {"calculations", "+--+", '3', NULL, "earlier 1"}, /* one for the chain's label */
        {"calculations", "++-+", '1', NULL, ""},          /* support is of calculations alone */
        {"calculations", "++++", 'n', NULL, ""},
        {"calculations", "+?0-", 'n', NULL, "missing 3"},
        {"calculations", "+-++", 'u', NULL, ""},
        {"dyck", "++-?", '1', NULL, "right 1"},
        {"dyck", "0+??", '1', NULL, "right 1"},
        {"dyck", "?+??", '1', NULL, ""}, /* an unread step before it */
        {"dyck", "+?-?", '1', NULL, ""},
        {"dyck", "+~??", '2', NULL, ""}, /* a custom proves nothing */
        {"dyck", "+~??", 'n', "++++", ""},
        {"dyck", "++++", '9', NULL, ""}, /* a label behind the end */
        {"calculations", "-+-+", '0', "-++ ", "step 2"},
        {"calculations", "-+-+", '0', "-+- ", ""},
        {"calculations", "-+-+", '1', "++++", "earlier 0, step 2"}, /* each step once */
        {"calculations", "+-?+", 'u', "++++", "step 1"},
    };
    (void)state;
    char room[200];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(conflicts_of(cases[i].method, cases[i].marks, cases[i].label,
                                         cases[i].own, false, room, sizeof room),
                            cases[i].found);
    assert_string_equal(conflicts_of("calculations", "+-++", 'u', NULL, true, room, sizeof room),
                        "missing 1");
    assert_string_equal(conflicts_of("calculations", "+-++", '1', NULL, true, room, sizeof room),
                        "");
}

/* What a check of calculations proves against a label of the first wrong step: `wrong` has a bit
 * for each step that is proven wrong. */
static const char *expected_of(unsigned wrong, char label, bool own, char *room, size_t size)
{
    size_t end = label == 'n' ? N_STEPS : label == 'u' ? 0 : (size_t)(label - '0'), at = 0;
    bool told = false;
    room[0] = '\0';
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < N_STEPS; i++) {
            if (!(wrong >> i & 1))
                continue;
            if (pass == 0 && i < end && !told) {
                at +=
                    (size_t)snprintf(room, size, "%s %zu", label == 'n' ? "missing" : "earlier", i);
                told = true;
                wrong &= ~(1u << i);
            } else if (pass == 1 && own) {
                at += (size_t)snprintf(room + at, size - at, "%sstep %zu", at ? ", " : "", i);
            }
        }
    return room;
}

/* Every combination of proven steps with every label of the chain, with and without labels of
 * steps. */
static void test_conflicts__each_combination(void **state)
{
    static const char labels[] = "nu0123", marks[] = "+-0?";
    (void)state;
    for (unsigned i = 0; i < 256 * 6 * 2; i++) {
        char step_marks[N_STEPS + 1] = "", found[200], expected[200];
        unsigned code = i % 256, wrong = 0;
        char label = labels[i / 256 % 6];
        bool own = i >= 256 * 6;
        for (unsigned k = 0; k < N_STEPS; k++, code /= 4) {
            step_marks[k] = marks[code % 4];
            wrong |= (unsigned)(step_marks[k] == '-') << k;
        }
        conflicts_of("calculations", step_marks, label, own ? "++++" : NULL, false, found,
                     sizeof found);
        assert_string_equal(found, expected_of(wrong, label, own, expected, sizeof expected));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conflicts),
                                       cmocka_unit_test(test_conflicts__each_combination)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
