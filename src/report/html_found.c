/* SPDX-License-Identifier: Apache-2.0 */
/* What a check found in one chain, in one phrase. */
#include "report/html_parts.h"

#include "base/str.h"
#include "chain/coverage.h"

html_found html_found_of(const rdv_html_chain *of)
{
    const rdv_chain *chain = of->chain;
    const rdv_check *check = chain->n_checks ? &chain->checks[chain->n_checks - 1] : NULL;
    html_found found = {.is = !check           ? HTML_UNCHECKED
                              : of->partial    ? HTML_UNFINISHED
                              : check->skipped ? HTML_SKIPPED
                                               : HTML_IS_NOTHING};
    if (found.is != HTML_IS_NOTHING)
        return found;
    found.proves = word_proves(check);
    for (size_t i = 0; i < check->n_verdicts; i++)
        found.words[word_of(check, &check->verdicts[i])]++;
    size_t unread = found.words[WORD_UNREAD], undecided = found.words[WORD_UNDECIDED];
    if (check->coverage) {
        unread += coverage_unread(check->coverage);
        undecided += check->coverage->undecided;
    }
    found.unread = unread > 0;
    found.undecided = undecided > 0 || check->first_error == RDV_STEP_UNKNOWN;
    if (check->first_error < RDV_STEP_UNKNOWN || found.words[WORD_WRONG])
        found.is = HTML_IS_WRONG;
    else if (found.words[WORD_RIGHT])
        found.is = found.unread || found.undecided || found.words[WORD_UNUSED] ? HTML_IS_GAPS
                                                                               : HTML_IS_RIGHT;
    else if (found.unread)
        found.is = HTML_IS_UNREAD;
    else if (found.undecided)
        found.is = HTML_IS_UNDECIDED;
    else if (found.words[WORD_UNUSED])
        found.is = HTML_IS_UNUSED;
    else if (found.words[WORD_CORRECTED])
        found.is = HTML_IS_CORRECTED;
    return found;
}

unsigned html_found_flags(const html_found *found)
{
    unsigned flags = found->is == HTML_IS_WRONG     ? HTML_WRONG
                     : found->is == HTML_IS_RIGHT   ? HTML_RIGHT
                     : found->is == HTML_IS_NOTHING ? HTML_NOTHING
                     : found->is == HTML_UNFINISHED ? HTML_FAILED
                                                    : 0;
    flags |= found->unread ? HTML_UNREAD : 0;
    flags |= found->undecided ? HTML_UNDECIDED : 0;
    flags |= found->words[WORD_UNUSED] ? HTML_UNUSED : 0;
    return flags | (found->words[WORD_CORRECTED] ? HTML_CORRECTED : 0);
}

/* The word whose colour and mark a finding has. */
static word word_of_found(html_finding is)
{
    switch (is) {
    case HTML_IS_WRONG:
        return WORD_WRONG;
    case HTML_IS_RIGHT:
        return WORD_RIGHT;
    case HTML_IS_UNREAD:
        return WORD_UNREAD;
    case HTML_IS_UNUSED:
        return WORD_UNUSED;
    case HTML_IS_CORRECTED:
        return WORD_CORRECTED;
    case HTML_IS_GAPS:
    case HTML_IS_UNDECIDED:
    case HTML_UNFINISHED:
        return WORD_UNDECIDED;
    default:
        return WORD_NOTHING;
    }
}

void html_badge(rdv_buf *b, const html_found *found, const rdv_chain *chain, rdv_str anchor)
{
    static const char *const phrases[] = {
        [HTML_UNCHECKED] = "not checked",       [HTML_UNFINISHED] = "not finished",
        [HTML_SKIPPED] = "check not needed",    [HTML_IS_NOTHING] = "nothing to check",
        [HTML_IS_UNREAD] = "not read",          [HTML_IS_UNDECIDED] = "undecided",
        [HTML_IS_CORRECTED] = "corrected later",
        [HTML_IS_UNUSED] = "not used"};
    const word_row *row = word_row_of(word_of_found(found->is), found->proves);
    const rdv_check *check = chain->n_checks ? &chain->checks[chain->n_checks - 1] : NULL;
    size_t right = found->words[WORD_RIGHT];
    if (found->is == HTML_IS_WRONG && check->first_error < RDV_STEP_UNKNOWN) {
        rdv_buf_printf(b, "<a class=\"badge wrong\" href=\"#%.*s:%zu\">%s %s at step %zu</a>",
                       RDV_FMT(anchor), check->first_error, row->mark, row->name,
                       check->first_error);
        return;
    }
    rdv_buf_printf(b, "<span class=\"badge %s\">%s ", row->id, row->mark);
    if (found->is == HTML_IS_WRONG)
        rdv_buf_add(b, rdv_str_of(row->name));
    else if (found->is == HTML_IS_GAPS)
        rdv_buf_printf(b, "no %s; not all was %s",
                       found->proves ? "wrong step found" : "step judged wrong",
                       found->unread ? "read" : "decided");
    else if (found->is == HTML_IS_RIGHT && check->verdicts[0].step == RDV_WHOLE_CHAIN)
        rdv_buf_add(b, rdv_str_of(row->name));
    else if (found->is == HTML_IS_RIGHT)
        rdv_buf_printf(b, "%zu of %zu step%s %s", right, chain->n_steps,
                       chain->n_steps == 1 ? "" : "s", row->name);
    else
        rdv_buf_add(b, rdv_str_of(phrases[found->is]));
    rdv_buf_lit(b, "</span>");
}
