/* SPDX-License-Identifier: Apache-2.0 */
#include "data/annotation/tools.h"

#include "base/arena.h"
#include "base/str.h"

static rdv_str text_of(const json_t *object, const char *name)
{
    return rdv_string_of(json_object_get(object, name));
}

static rdv_str copied(rdv_chain_builder *m, const json_t *value)
{
    return json_is_string(value) || json_is_number(value) ? rdv_build_text_of(m, value, "text")
                                                          : (rdv_str){0};
}

static int fault_of(const rdv_chain_builder *m, rdv_error *err)
{
    return m->in->fault == RDV_OK ? RDV_OK
                                  : rdv_fail(err, m->in->fault, "%s", m->in->reason);
}

/* ---- Label Studio ---------------------------------------------------------------------------- */

bool annotation_is_task(const rdv_members *in)
{
    return rdv_starts(rdv_members_raw(in, "annotations"), RDV_STR("[")) &&
           rdv_starts(rdv_members_raw(in, "data"), RDV_STR("{"));
}

/* Who completed it: the address where the export has the person, else the person's number. */
static rdv_str annotator_of(rdv_chain_builder *m, const json_t *annotation)
{
    const json_t *by = json_object_get(annotation, "completed_by");
    const json_t *email = json_object_get(by, "email");
    return copied(m, json_is_object(by) ? (email ? email : json_object_get(by, "id")) : by);
}

/* What a label of the configuration says of its step; false: it is none of them. */
static bool mark_of(rdv_str label, int8_t *out)
{
    bool wrong = rdv_str_eq(label, RDV_STR("wrong step")) ||
                 rdv_str_eq(label, RDV_STR("wrong calculation"));
    *out = (int8_t)(wrong ? 0 : -1);
    return wrong || rdv_str_eq(label, RDV_STR("unknown"));
}

/* Mark the steps that a region touches. A step that is wrong stays wrong. */
static int mark_region(const json_t *region, const long *starts, rdv_annotation *one,
                       rdv_error *err)
{
    const json_t *value = json_object_get(region, "value");
    const json_t *labels = json_object_get(value, "labels");
    long begin, end;
    if (!json_is_array(labels)) /* an answer or a remark, which the project may have too */
        return RDV_OK;
    if (!rdv_build_integer(json_object_get(value, "start"), &begin) ||
        !rdv_build_integer(json_object_get(value, "end"), &end))
        return rdv_fail(err, RDV_E_INPUT, "a region without its start and end");
    for (size_t k = 0; k < json_array_size(labels); k++) {
        int8_t is;
        if (!mark_of(rdv_string_of(json_array_get(labels, k)), &is))
            return rdv_fail(err, RDV_E_INPUT,
                            "label \"%.40s\": none of 'rederive convert --labelling-config'",
                            json_string_value(json_array_get(labels, k)));
        for (size_t i = 0; i < one->n; i++) {
            bool touches = begin < (i + 1 < one->n ? starts[i + 1] - 1 : end + 1) &&
                           end > starts[i];
            if (touches && one->is[i] != 0)
                one->is[i] = is;
        }
    }
    return RDV_OK;
}

/* Where the steps begin, in characters; they count up. */
static int read_starts(rdv_chain_builder *m, const json_t *data, long **starts, size_t *n,
                       rdv_error *err)
{
    const json_t *list = json_object_get(data, "step_starts");
    *n = json_array_size(list);
    if (!json_is_array(list))
        return rdv_fail(err, RDV_E_INPUT,
                        "the task's data has no \"step_starts\": import the tasks that 'rederive "
                        "convert --to label-studio' writes");
    *starts = RDV_NEW_ARRAY(m->arena, long, *n);
    if (!*starts)
        return rdv_no_memory(err);
    for (size_t i = 0; i < *n; i++)
        if (!rdv_build_integer(json_array_get(list, i), &(*starts)[i]) ||
            (*starts)[i] < (i ? (*starts)[i - 1] + 1 : 0))
            return rdv_fail(err, RDV_E_INPUT, "step_starts: numbers that count up are wanted");
    return RDV_OK;
}

/* Steps that nobody marked are right up to the first wrong one; those after it were not looked
 * at. */
static void pass_over_later(rdv_annotation *one)
{
    bool wrong = false;
    for (size_t i = 0; i < one->n; i++) {
        if (wrong && one->is[i] == 1)
            one->is[i] = -1;
        wrong = wrong || one->is[i] == 0;
    }
}

static int read_annotation(rdv_chain_builder *m, const json_t *annotation, rdv_annotation *one,
                           rdv_error *err)
{
    const json_t *data = rdv_members_get(m->in, "data");
    const json_t *result = json_object_get(annotation, "result");
    long *starts = NULL;
    int code = read_starts(m, data, &starts, &one->n, err);
    if (code != RDV_OK)
        return code;
    one->id = copied(m, json_object_get(data, "id"));
    one->by = annotator_of(m, annotation);
    one->is_what = RDV_ANNOTATION_STEPS;
    one->is = RDV_NEW_ARRAY(m->arena, int8_t, one->n);
    if (!one->is)
        return rdv_no_memory(err);
    memset(one->is, 1, one->n);
    for (size_t i = 0; code == RDV_OK && i < json_array_size(result); i++)
        code = mark_region(json_array_get(result, i), starts, one, err);
    pass_over_later(one);
    return code == RDV_OK ? fault_of(m, err) : code;
}

int annotation_of_task(rdv_chain_builder *m, size_t *next, rdv_annotation *one, rdv_error *err)
{
    const json_t *all = rdv_members_get(m->in, "annotations");
    int code = fault_of(m, err);
    while (code == RDV_OK && *next < json_array_size(all)) {
        const json_t *annotation = json_array_get(all, (*next)++);
        if (json_is_object(annotation) &&
            !json_is_true(json_object_get(annotation, "was_cancelled")))
            return read_annotation(m, annotation, one, err);
    }
    return code == RDV_OK ? RDV_NONE : code;
}

/* ---- Phoenix --------------------------------------------------------------------------------- */

bool annotation_is_of_span(const rdv_members *in)
{
    return rdv_members_have(in, "span_id") && rdv_members_have(in, "annotator_kind");
}

/* 1, 0 or -1 by the words of our own annotations and their like; false: none of them. */
static bool says(const json_t *result, int8_t *out)
{
    static const char *const right[] = {"support", "right", "correct", "no error found", "true"};
    static const char *const wrong[] = {"contradict", "wrong", "incorrect", "false"};
    static const char *const open[] = {"unknown", "unrelated", "undecided"};
    rdv_str label = rdv_trim(text_of(result, "label"));
    const json_t *score = json_object_get(result, "score");
    if (!label.len && json_is_number(score)) {
        *out = (int8_t)rdv_build_flag_of(score);
        return *out >= 0;
    }
    bool is_right = rdv_is_one_of(label, right, sizeof right / sizeof *right);
    bool is_wrong = rdv_is_one_of(label, wrong, sizeof wrong / sizeof *wrong);
    *out = (int8_t)(is_right ? 1 : is_wrong ? 0 : -1);
    return is_right || is_wrong || rdv_is_one_of(label, open, sizeof open / sizeof *open);
}

/* Who gave it: the user, or what the caller wrote as the identifier, unless that is ours. */
static rdv_str person_of(rdv_chain_builder *m)
{
    rdv_str user = copied(m, rdv_members_get(m->in, "user_id"));
    rdv_str name = copied(m, rdv_members_get(m->in, "identifier"));
    return user.len ? user : rdv_starts(name, RDV_STR("rederive:")) ? (rdv_str){0} : name;
}

int annotation_of_span(rdv_chain_builder *m, rdv_annotation *one, rdv_error *err)
{
    const json_t *result = rdv_members_get(m->in, "result");
    const json_t *metadata = rdv_members_get(m->in, "metadata");
    const json_t *id = json_object_get(metadata, "id");
    long step;
    int8_t is;
    if (!rdv_str_eq(rdv_members_raw(m->in, "annotator_kind"), RDV_STR("\"HUMAN\"")))
        return RDV_NONE;
    one->id = copied(m, id ? id : rdv_members_get(m->in, "span_id"));
    one->by = person_of(m);
    if (!says(result, &is))
        return rdv_fail(err, RDV_E_INPUT,
                        "label \"%.40s\": right, wrong or unknown is wanted",
                        json_is_string(json_object_get(result, "label"))
                            ? json_string_value(json_object_get(result, "label"))
                            : "");
    bool of_step = rdv_build_integer(json_object_get(metadata, "step"), &step) && step >= 0;
    bool first = rdv_build_integer(json_object_get(metadata, "first_error"), &step) && step >= 0;
    if (of_step)
        rdv_build_integer(json_object_get(metadata, "step"), &step);
    one->is_what = of_step ? RDV_ANNOTATION_STEP : RDV_ANNOTATION_FIRST_WRONG;
    one->mark = is;
    one->first_wrong = (rdv_label){is == 1 && !of_step ? RDV_LABEL_NO_MISTAKE : RDV_LABEL_AT,
                                   of_step || first ? (size_t)step : 0};
    if (!of_step && is < 0)
        return RDV_NONE;
    if (!of_step && is == 0 && !first)
        return rdv_fail(err, RDV_E_INPUT,
                        "the span is wrong, and no step is named: metadata.step or "
                        "metadata.first_error is wanted");
    return fault_of(m, err);
}
