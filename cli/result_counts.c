/* SPDX-License-Identifier: Apache-2.0 */
#include "result_counts.h"
#include "terminal.h"

#include "score/score.h"

#include <inttypes.h>
#include <string.h>

void result_counts_add(struct result_counts *c, const rdv_result *result)
{
    const char *lacks = result_lacks(result);
    bool failed = lacks && strcmp(lacks, "failed") == 0, graded = result_is_graded(result);
    c->questions++;
    c->used += result->chains_used;
    c->unread += result->unread;
    c->tied += result->n_tied > 0;
    c->graded += graded;
    c->answered += graded && result->answer.p;
    c->right += result->correct == 1;
    c->failed += failed;
    c->lacking += lacks && !failed;
}

static void put_share(FILE *out, const char *name, uint64_t part, uint64_t of)
{
    if (of)
        fprintf(out, ",\"%s\":%.17g", name, (double)part / (double)of);
    else
        fprintf(out, ",\"%s\":null", name);
}

void result_counts_json(const struct result_counts *c, FILE *out)
{
    fprintf(out, ",\"n_correct\":%" PRIu64 ",\"n_graded\":%" PRIu64, c->right, c->graded);
    put_share(out, "accuracy", c->right, c->graded);
    put_share(out, "accuracy_answered", c->right, c->answered);
    fprintf(out, ",\"n_without_answer\":%" PRIu64 ",\"n_unanswered\":%" PRIu64, c->lacking,
            c->failed);
}

void result_counts_print(const struct result_counts *c, FILE *out)
{
    if (c->graded)
        fprintf(out, "%" PRIu64 " of %" PRIu64 " right; ", c->right, c->graded);
    if (c->graded && c->answered < c->graded)
        fprintf(out, "%" PRIu64 " of %" PRIu64 " answered right; ", c->right, c->answered);
    if (c->lacking)
        fprintf(out, "%" PRIu64 " question%s without an answer; ", c->lacking, plural(c->lacking));
    if (c->failed)
        fprintf(out, "%" PRIu64 " not answered because calls failed; ", c->failed);
}
