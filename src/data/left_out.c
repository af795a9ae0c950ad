/* SPDX-License-Identifier: Apache-2.0 */
#include "data/left_out.h"

#include "base/str.h"
#include "base/utf8.h"
#include "data/turns.h"
#include "notation/decimal_comma.h"

#define LOOKED_AT ((size_t)4096) /* bytes of a text, to tell its script */
#define LEAST_LETTERS 10
#define STEPS_LOOKED_AT 16

static const char OTHER_LANGUAGE[] =
    "the text is not in English: calculations in signs are read, those in words are not; -m "
    "selfcheck and other methods that ask a model read any language";

static bool has_text(const json_t *message)
{
    const json_t *content = json_object_get(message, "content");
    if (!content)
        content = json_object_get(message, "value");
    return json_is_array(content) ? json_array_size(content) > 0 : json_string_length(content) > 0;
}

static bool is_of_a_tool(const json_t *message)
{
    static const char *const tools[] = {"tool", "function", "observation", "ipython"};
    const json_t *role = json_object_get(message, "role");
    rdv_str name = rdv_str_of(json_string_value(role ? role : json_object_get(message, "from")));
    return rdv_is_one_of(name, tools, sizeof tools / sizeof *tools);
}

void left_out_of_chat(rdv_chain_builder *m, const json_t *messages, size_t n)
{
    bool turns = rdv_note_wanted(m->notes, RDV_NOTE_TURNS);
    bool tools = rdv_note_wanted(m->notes, RDV_NOTE_TOOLS);
    for (size_t i = 0; (turns || tools) && i < n; i++) {
        const json_t *message = json_array_get(messages, i);
        if (turns && rdv_turn_role(message) == RDV_ROLE_ASSISTANT && has_text(message)) {
            rdv_note(m->notes, RDV_NOTE_TURNS,
                     "only the last reply of a chat is checked; a record for each reply checks all "
                     "of them (docs/your-data.md)");
            turns = false;
        }
        if (tools && is_of_a_tool(message)) {
            rdv_note(m->notes, RDV_NOTE_TOOLS,
                     "what tools returned is not checked; --steps-from PATH reads it as the steps");
            tools = false;
        }
    }
}

void left_out_of_session(rdv_chain_builder *m)
{
    if (rdv_note_wanted(m->notes, RDV_NOTE_OTHERS))
        rdv_note(m->notes, RDV_NOTE_OTHERS,
                 "what is no reply of a model (of users, tools, and the application itself) is not "
                 "checked");
}

void left_out_question(rdv_chain_builder *m)
{
    if (rdv_note_wanted(m->notes, RDV_NOTE_NO_QUESTION))
        rdv_note(
            m->notes, RDV_NOTE_NO_QUESTION,
            "steps without a question are checked by themselves; --question-from PATH names the "
            "member that holds it");
}

void left_out_question_of_text(rdv_notes *notes)
{
    if (rdv_note_wanted(notes, RDV_NOTE_NO_QUESTION))
        rdv_note(notes, RDV_NOTE_NO_QUESTION,
                 "no question was found in the text, so all of it is checked; \"Question:\" before "
                 "it marks the question, --question TEXT gives it");
}

/* Letters in scripts of which no rule reads the words, or only some; and all letters. */
typedef struct letter_counts {
    size_t foreign, chinese, all;
} letter_counts;

static void count_letters(rdv_str text, letter_counts *n)
{
    size_t len;
    text = rdv_str_head(text, LOOKED_AT);
    for (size_t i = 0; i < text.len; i += len) {
        if ((unsigned char)text.p[i] < 0x80) {
            n->all += rdv_is_alpha(text.p[i]);
            len = 1;
            continue;
        }
        uint32_t c = rdv_utf8_at(text, i, &len);
        bool beyond = c >= 0x400 && (c < 0x2000 || c >= 0x3040) && c < 0xfe00;
        n->foreign += beyond;
        n->chinese += c >= 0x4e00 && c < 0xa000;
        n->all += beyond;
    }
}

/* Whether there is a character from U+0400 on, in UTF-8 a byte from 0xd0 on. */
static bool may_be_foreign(rdv_str text)
{
    uint64_t eight;
    text = rdv_str_head(text, LOOKED_AT);
    for (size_t i = 0; i < text.len; i++) {
        if (i + sizeof eight <= text.len) {
            memcpy(&eight, text.p + i, sizeof eight);
            if (!(eight & 0x8080808080808080)) { /* all are ASCII */
                i += sizeof eight - 1;
                continue;
            }
        }
        if ((unsigned char)text.p[i] >= 0xd0)
            return true;
    }
    return false;
}

/* Whether the texts whose letters are counted may have some of such scripts: most have none. */
static bool may_hold_foreign(const rdv_chain *chain)
{
    bool may = may_be_foreign(chain->question.text);
    for (size_t i = 0; !may && i < chain->n_steps && i < STEPS_LOOKED_AT; i++)
        may = may_be_foreign(chain->steps[i]);
    return may;
}

/* What is said of a chain's language; NULL: nothing. */
static const char *language_note(const rdv_chain *chain)
{
    letter_counts n = {0};
    bool may = may_hold_foreign(chain);
    if (may)
        count_letters(chain->question.text, &n);
    for (size_t i = 0; may && i < chain->n_steps && i < STEPS_LOOKED_AT; i++)
        count_letters(chain->steps[i], &n);
    if (n.foreign >= LEAST_LETTERS && 2 * n.foreign > n.all)
        return n.chinese == n.foreign
                   ? "the text is in Chinese: calculations in signs and in simple sentences are "
                     "read, other words are not; -m selfcheck and other methods that ask a model "
                     "read all of it"
                   : OTHER_LANGUAGE;
    bool commas = decimal_comma_tongue(chain->question.text, chain->steps, chain->n_steps);
    return commas ? OTHER_LANGUAGE : NULL;
}

void left_out_of_chain(rdv_chain_builder *m, bool reasoning)
{
    if (reasoning && !m->check_reasoning && rdv_note_wanted(m->notes, RDV_NOTE_REASONING))
        rdv_note(m->notes, RDV_NOTE_REASONING,
                 "what the model thought before its reply is not checked; --check-reasoning checks "
                 "it too");
    const char *language =
        rdv_note_wanted(m->notes, RDV_NOTE_LANGUAGE) ? language_note(m->chain) : NULL;
    if (language)
        rdv_note(m->notes, RDV_NOTE_LANGUAGE, language);
}
