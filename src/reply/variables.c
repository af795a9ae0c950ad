/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of the definitions of variables in a reply (appendix A). */
#include "reply/reply.h"

#include "base/arena.h"
#include "base/str.h"
#include "reply/words.h"
#include "text/think.h"

/* The line without emphasis marks and brackets at its beginning: "**1.** z is ..." */
static rdv_str without_marks(rdv_str line)
{
    size_t i = 0;
    while (i < line.len && words_is_any(line.p[i], "*_#(`>"))
        i++;
    return rdv_trim(rdv_slice(line, i, line.len));
}

/* True for "1. ", "1) ", "1: "; a number alone may begin a sentence ("3 apples are bought"). */
static bool is_numbered(rdv_str line)
{
    line = without_marks(line);
    size_t i = rdv_skip_digits(line, 0);
    if (i == 0 || i == line.len || !words_is_any(line.p[i], ".):"))
        return false;
    return i + 1 < line.len && !rdv_is_digit(line.p[i + 1]);
}

static bool is_bullet(rdv_str line)
{
    static const char *const bullets[] = {"- ", "* ", "+ ", "\xe2\x80\xa2"};
    for (size_t k = 0; k < sizeof bullets / sizeof *bullets; k++) {
        rdv_str bullet = rdv_str_of(bullets[k]);
        if (rdv_starts(line, bullet) && line.len > bullet.len)
            return true;
    }
    return false;
}

int reply_definitions(rdv_str reply, rdv_profile profile, rdv_arena *arena, rdv_str **lines,
                      size_t *n)
{
    rdv_str rest = rdv_slice(think_spoken(reply), 0, WORDS_LIST_BYTES), line, *found = NULL;
    size_t count = 0, cap = 0;
    while (rest.len > 0 && rdv_next_line(&rest, &line)) {
        rdv_str text = rdv_trim(line);
        bool kept = profile == RDV_ROBUST ? is_numbered(text) || is_bullet(text)
                                          : line.len > 0 && rdv_is_digit(line.p[0]);
        if (!kept)
            continue;
        if (!RDV_PUSH_ROOM(arena, found, count, cap))
            return RDV_E_NOMEM;
        found[count++] = text;
    }
    *lines = found;
    *n = count;
    return RDV_OK;
}
