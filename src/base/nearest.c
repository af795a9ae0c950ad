/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest.h"

#include "base/str.h"

#define MAX_WORD 60

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Number of edits between two words of at most MAX_WORD bytes: to change, insert or drop one byte,
 * or to swap two neighbours (the optimal string alignment distance). */
static size_t edits_between(rdv_str a, rdv_str b)
{
    size_t edits[MAX_WORD + 1][MAX_WORD + 1];
    if (a.len > MAX_WORD || b.len > MAX_WORD)
        return NEAREST_NONE;
    for (size_t i = 0; i <= a.len; i++)
        edits[i][0] = i;
    for (size_t j = 0; j <= b.len; j++)
        edits[0][j] = j;
    for (size_t i = 1; i <= a.len; i++)
        for (size_t j = 1; j <= b.len; j++) {
            size_t change = edits[i - 1][j - 1] + (a.p[i - 1] != b.p[j - 1]);
            edits[i][j] = least(change, least(edits[i][j - 1], edits[i - 1][j]) + 1);
            if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
                edits[i][j] = least(edits[i][j], edits[i - 2][j - 2] + 1);
        }
    return edits[a.len][b.len];
}

void nearest_take(rdv_str text, rdv_str word, rdv_str *best, size_t *edits)
{
    size_t most = text.len / 3; /* with more edits it is another word */
    bool begins = text.len && rdv_starts(word, text);
    size_t n = begins ? 1 : edits_between(text, word);
    if (n <= (most ? most : 1) && n < *edits) {
        *edits = n;
        *best = word;
    }
}
