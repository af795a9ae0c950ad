/* SPDX-License-Identifier: Apache-2.0 */
/* The recorded pools of sampled chains: every accuracy, and every share of chains that `certain`
 * saves, equals what tests/reference/vote.py computes apart; and stopping never changes an answer.
 */
#include "near.h"

#include "score/score.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#define CHAINS_MAX 64
#define STEPS_MAX 1024
#define RUNS_MAX 64
#define LINE_MAX_BYTES 65536

enum { CHAIN, MAJORITY, ORACLE, WEIGHTED, BEST, METHODS };
static const char *const methods[METHODS] = {"chain", "majority", "oracle", "weighted", "best"};
enum { CERTAIN, CERTAIN_KNOWN, RULES };
static const char *const rules[RULES] = {"certain", "certain-known"};

/* The sums over the questions of one set with one scorer. */
typedef struct run {
    char set[32], scorer[32];
    size_t questions, chains;
    double right[RDV_N_AGGREGATES][METHODS];
    size_t used_majority, used[RDV_N_AGGREGATES][RULES];
} run;

static run runs[RUNS_MAX];
static size_t n_runs;

typedef struct question {
    char id[64];
    rdv_ballot ballots[CHAINS_MAX];
    char keys[CHAINS_MAX][1024];
    double scores[CHAINS_MAX][STEPS_MAX];
    size_t n_scores[CHAINS_MAX];
    size_t n;
} question;

static question now;

/* ---- computing ------------------------------------------------------------------------------- */

static double right_by(rdv_select_kind how, rdv_arena *arena)
{
    rdv_vote vote;
    assert_int_equal(rdv_vote_decide(how, now.ballots, now.n, arena, &vote, NULL), RDV_OK);
    return vote.expected_correct;
}

static rdv_str answer_of(rdv_select_kind how, size_t n, rdv_arena *arena)
{
    rdv_vote vote;
    assert_int_equal(rdv_vote_decide(how, now.ballots, n, arena, &vote, NULL), RDV_OK);
    return vote.winner == RDV_NO_ANSWER ? (rdv_str){0} : vote.answers[vote.winner].key;
}

static size_t used_by(rdv_select_kind how, bool known, rdv_arena *arena)
{
    rdv_stop rule = {.kind = RDV_STOP_CERTAIN, .answers_known = known};
    size_t used;
    assert_int_equal(rdv_stop_after(how, &rule, now.ballots, now.n, arena, &used, NULL), RDV_OK);
    assert_true(rdv_str_eq(answer_of(how, used, arena), answer_of(how, now.n, arena)));
    return used;
}

static void finish_question(run *r)
{
    if (now.n == 0)
        return;
    rdv_arena *arena = rdv_arena_new(0);
    r->questions++;
    r->chains += now.n;
    for (size_t a = 0; a < RDV_N_AGGREGATES; a++) {
        rdv_aggregation how = {.kind = (rdv_aggregate_kind)a};
        for (size_t i = 0; i < now.n; i++)
            now.ballots[i].weight = rdv_aggregate(&how, now.scores[i], now.n_scores[i]);
        double share = right_by(RDV_SELECT_RANDOM, arena);
        r->right[a][CHAIN] += share;
        r->right[a][ORACLE] += share > 0;
        r->right[a][MAJORITY] += right_by(RDV_SELECT_MAJORITY, arena);
        r->right[a][WEIGHTED] += right_by(RDV_SELECT_WEIGHTED, arena);
        r->right[a][BEST] += right_by(RDV_SELECT_BEST, arena);
        r->used[a][CERTAIN] += used_by(RDV_SELECT_WEIGHTED, false, arena);
        r->used[a][CERTAIN_KNOWN] += used_by(RDV_SELECT_WEIGHTED, true, arena);
        rdv_arena_reset(arena);
    }
    r->used_majority += used_by(RDV_SELECT_MAJORITY, false, arena);
    rdv_arena_free(&arena);
    now.n = 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_scores(char *text)
{
    size_t n = 0;
    for (char *end; *text && *text != '\n'; text = *end == ',' ? end + 1 : end) {
        assert_true(n < STEPS_MAX);
        now.scores[now.n][n++] = strtod(text, &end);
        assert_true(end > text);
    }
    now.n_scores[now.n] = n;
}

/* set, scorer, question, key, right, scores */
static void read_line(char *line)
{
    char *field[6];
    for (size_t i = 0; i < 6; i++) {
        field[i] = strsep(&line, "\t");
        assert_non_null(field[i]);
    }
    run *r = n_runs ? &runs[n_runs - 1] : NULL;
    bool same_run = r && !strcmp(r->set, field[0]) && !strcmp(r->scorer, field[1]);
    if (r && (!same_run || strcmp(now.id, field[2]) != 0))
        finish_question(r);
    if (!same_run) {
        assert_true(n_runs < RUNS_MAX);
        r = &runs[n_runs++];
        snprintf(r->set, sizeof r->set, "%s", field[0]);
        snprintf(r->scorer, sizeof r->scorer, "%s", field[1]);
    }
    assert_true(now.n < CHAINS_MAX && strlen(field[3]) < sizeof now.keys[0]);
    snprintf(now.id, sizeof now.id, "%s", field[2]);
    char *key = now.keys[now.n];
    snprintf(key, sizeof now.keys[0], "%s", field[3]);
    now.ballots[now.n] = (rdv_ballot){.key = *key ? rdv_str_of(key + 1) : (rdv_str){0},
                                      .correct = field[4][0] == '1'};
    read_scores(field[5]);
    now.n++;
}

static FILE *run_reference(const char *option)
{
    char command[4096];
    snprintf(command, sizeof command, "python3 '%s/tests/reference/vote.py' %s",
             getenv("RDV_SOURCE"), option);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    return out;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static int index_of(const char *name, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(name, names[i]) == 0)
            return i;
    }
    fail_msg("%s is not known", name);
    return -1;
}

static double number_in(const json_t *row, const char *name)
{
    const json_t *number = json_object_get(row, name);
    assert_non_null(number);
    return json_number_value(number);
}

/* What our run says for the row; a row without a scorer holds for every run of the set. */
static double ours(const run *r, const json_t *row)
{
    const char *aggregation = json_string_value(json_object_get(row, "aggregation"));
    const char *rule = json_string_value(json_object_get(row, "rule"));
    int method = index_of(json_string_value(json_object_get(row, "method")), methods, METHODS);
    rdv_aggregate_kind is = RDV_AGGREGATE_MIN;
    if (aggregation)
        assert_int_equal(rdv_aggregate_named(rdv_str_of(aggregation), &is), RDV_OK);
    if (!rule)
        return r->right[is][method] / (double)r->questions;
    size_t used = method == MAJORITY ? r->used_majority : r->used[is][index_of(rule, rules, RULES)];
    return 1 - (double)used / (double)r->chains;
}

/* The number of comparisons made with the reference's rows. */
static size_t compare(const char *option, const char *figure)
{
    static char line[LINE_MAX_BYTES];
    size_t compared = 0;
    FILE *rows = run_reference(option);
    while (fgets(line, sizeof line, rows)) {
        json_t *row = json_loads(line, 0, NULL);
        assert_non_null(row);
        const char *scorer = json_string_value(json_object_get(row, "scorer"));
        const char *set = json_string_value(json_object_get(row, "set"));
        for (size_t i = 0; i < n_runs; i++) {
            if (strcmp(runs[i].set, set) != 0 || (scorer && strcmp(runs[i].scorer, scorer) != 0))
                continue;
            if (fabs(ours(&runs[i], row) - number_in(row, figure)) > 1e-12)
                fail_msg("%s: we have %.6f", line, ours(&runs[i], row));
            assert_near(number_in(row, "n"), (double)runs[i].questions, 0);
            compared++;
        }
        json_decref(row);
    }
    assert_int_equal(pclose(rows), 0);
    return compared;
}

static void test_pools__accuracies(void **state)
{
    (void)state;
    assert_true(compare("", "accuracy") >= n_runs * (3 + 2 * RDV_N_AGGREGATES));
}

static void test_pools__chains_saved(void **state)
{
    (void)state;
    assert_true(compare("--saved", "saved") >= n_runs * (1 + 2 * RDV_N_AGGREGATES));
}

int main(void)
{
    static char line[LINE_MAX_BYTES];
    if (!getenv("RDV_SOURCE"))
        return 77;
    FILE *ballots = run_reference("--ballots");
    while (fgets(line, sizeof line, ballots))
        read_line(line);
    if (n_runs)
        finish_question(&runs[n_runs - 1]);
    int status = pclose(ballots);
    if (status != 0)
        return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pools__accuracies),
        cmocka_unit_test(test_pools__chains_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
