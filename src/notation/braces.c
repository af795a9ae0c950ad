/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/braces.h"

#include "base/str.h"

/* Where the command begins whose argument is the group that opens at byte `open`, "\textbf{12}". */
static size_t command_before(rdv_str text, size_t open)
{
    size_t i = open;
    while (i > 0 && rdv_is_alpha(text.p[i - 1]))
        i--;
    return i > 0 && i < open && text.p[i - 1] == '\\' ? i - 1 : open;
}

void braces_close(rdv_str text, size_t *begin, size_t *end)
{
    rdv_str inside = rdv_slice(text, *begin, *end);
    size_t open = 0, unopened = 0;
    if (rdv_find_char(inside, '{', 0) == RDV_NOT_FOUND &&
        rdv_find_char(inside, '}', 0) == RDV_NOT_FOUND) /* as in most */
        return;
    for (size_t i = *begin; i < *end; i++) {
        open += text.p[i] == '{';
        if (text.p[i] == '}' && open)
            open--;
        else if (text.p[i] == '}')
            unopened++;
    }
    for (; open && *end < text.len && text.p[*end] == '}'; open--)
        ++*end;
    for (; unopened && *begin > 0 && text.p[*begin - 1] == '{'; unopened--)
        *begin = command_before(text, *begin - 1);
}
