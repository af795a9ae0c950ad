/* SPDX-License-Identifier: Apache-2.0 */
#include "reply/step_line.h"
#include "text/heading.h"

#include "base/str.h"
#include "reply/words.h"
#include "text/think.h"

int step_line(rdv_str text, rdv_heading_kind repeated, rdv_arena *arena, rdv_str *out,
              rdv_error *err)
{
    rdv_str rest = think_spoken(text), line = rest;
    rdv_heading heading;
    rdv_next_line(&rest, &line);
    line = rdv_trim(line);
    int r = rdv_heading_read(line, arena, &heading, err);
    if (r < 0)
        return r;
    if (r == RDV_OK && heading.kind == repeated)
        line = rdv_trim(rdv_slice(line, heading.mark.len, line.len));
    *out = line;
    return line.len ? RDV_OK : RDV_NONE;
}
