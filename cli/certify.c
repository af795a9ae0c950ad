/* SPDX-License-Identifier: Apache-2.0 */
#include "certify.h"
#include "terminal.h"

#include "base/json.h"
#include "base/str.h"
#include "method/certificate.h"

#include <rederive/answer.h>

bool certify_usable(const struct settings *s, const struct methods *methods)
{
    const char *other = s->view          ? "view"
                        : s->list_form   ? "list"
                        : s->list_unread ? "list-unread"
                        : s->dry_run     ? "dry-run"
                                         : NULL;
    const rdv_method *last = methods->n ? methods->is[methods->n - 1] : NULL;
    if (!s->certify)
        return true;
    if (other)
        say("check: --certify writes records, and cannot be combined with --%s", other);
    else if (!last || !certificate_has(rdv_str_of(last->name)))
        say("check: --certify has no effect with --method %s; it certifies by calculations, dyck, "
            "sorting, shuffled-objects, arithmetic or deduction as the last method",
            last ? last->name : "none");
    else
        return true;
    return false;
}

int certify_put(const rdv_chain *chain, const rdv_check *check, const rdv_check_options *options,
                uint64_t *certified, rdv_arena *arena, rdv_buf *members)
{
    rdv_grade grade;
    certificate made;
    rdv_error err;
    int code = rdv_grade_chain(chain, &(rdv_grading){0}, arena, &grade, &err);
    if (code == RDV_OK)
        code = certificate_of(chain, check, options, grade.shown, arena, &made, &err);
    if (code != RDV_OK)
        return code;
    rdv_json_open(members, "certificate", '{');
    rdv_json_put_text(members, "method", check->method);
    rdv_json_put_flag(members, "certified", made.certified);
    rdv_json_open(members, "gaps", '[');
    for (size_t i = 0; i < made.n_gaps; i++) {
        rdv_json_item(members);
        rdv_buf_add_char(members, '{');
        if (made.gaps[i].step == RDV_WHOLE_CHAIN)
            rdv_json_put_null(members, "step");
        else
            rdv_json_put_count(members, "step", made.gaps[i].step);
        rdv_json_put_text(members, "explanation", made.gaps[i].why);
        rdv_buf_add_char(members, '}');
    }
    rdv_buf_lit(members, "]}");
    *certified += made.certified;
    return RDV_OK;
}
