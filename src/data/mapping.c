/* SPDX-License-Identifier: Apache-2.0 */
#include "data/mapping.h"

int rdv_mapping_read(rdv_mapping *mapping, const rdv_read_options *options, rdv_arena *arena,
                     rdv_error *err)
{
    int rc = rdv_member_path_read(&mapping->question, options->question_from, arena, err);
    if (rc == RDV_OK)
        rc = rdv_member_path_read(&mapping->steps, options->steps_from, arena, err);
    if (rc == RDV_OK)
        rc = rdv_member_path_read(&mapping->gold, options->gold_from, arena, err);
    if (rc == RDV_OK)
        rc = rdv_member_path_read(&mapping->id, options->id_from, arena, err);
    if (rc == RDV_OK)
        rc = rdv_member_path_read(&mapping->answer, options->answer_from, arena, err);
    if (rc == RDV_OK)
        rc = rdv_member_path_read(&mapping->text, options->text_from, arena, err);
    mapping->any =
        mapping->question.text || mapping->steps.text || mapping->gold.text || mapping->id.text;
    return rc;
}

const char *rdv_mapping_lacks(const rdv_mapping *mapping, rdv_members *in, const char **part)
{
    const struct {
        const rdv_member_path *path;
        const char *part;
    } all[] = {{&mapping->question, "question"}, {&mapping->steps, "steps"},
               {&mapping->gold, "gold answer"},  {&mapping->id, "id"},
               {&mapping->answer, "answer"},     {&mapping->text, "text"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *part = all[i].part;
        if (all[i].path->text && !rdv_member_path_find(all[i].path, in) && in->fault == RDV_OK)
            return all[i].path->text;
    }
    return NULL;
}

rdv_str rdv_mapping_text(rdv_chain_builder *m, const rdv_member_path *path)
{
    const json_t *value = rdv_member_path_find(path, m->in);
    if (json_is_array(value))
        value = json_array_get(value, 0);
    else if (rdv_members_have(m->in, path->text) || path->n == 1)
        /* A number at the top keeps its digits. */
        return rdv_build_text(m, rdv_members_have(m->in, path->text) ? path->text : path->parts[0]);
    return rdv_build_text_of(m, value, path->text);
}

static void set_steps(const rdv_mapping *mapping, rdv_chain_builder *m)
{
    const json_t *value = rdv_member_path_find(&mapping->steps, m->in);
    rdv_chain *chain = m->chain;
    *chain = (rdv_chain){.id = chain->id, .question = chain->question, .correct = -1};
    m->no_answer = false;
    if (json_is_array(value)) {
        rdv_build_steps(m, value, mapping->steps.text);
        return;
    }
    rdv_str solution = rdv_build_text_of(m, value, mapping->steps.text);
    if (!solution.p)
        rdv_members_fail(m->in, RDV_E_INPUT, "\"%.80s\" is null, where steps are wanted",
                         mapping->steps.text);
    rdv_build_split(m, solution, false);
}

void rdv_mapping_apply(const rdv_mapping *mapping, rdv_chain_builder *m)
{
    if (mapping->question.text)
        m->chain->question.text = rdv_mapping_text(m, &mapping->question);
    if (mapping->gold.text) {
        m->chain->question.gold = rdv_mapping_text(m, &mapping->gold);
        if (!rdv_members_have(m->in, "answer_type")) /* the kind of the format's own gold answer */
            m->chain->question.kind = RDV_KIND_AUTO;
    }
    if (mapping->id.text)
        m->chain->id = rdv_mapping_text(m, &mapping->id);
    if (mapping->steps.text)
        set_steps(mapping, m);
}
