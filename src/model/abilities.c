/* SPDX-License-Identifier: Apache-2.0 */
#include "model/abilities.h"

static const struct {
    const char *name, *meaning;
    size_t offset;
} entries[] = {
#define NAMED(ability, member, name, meaning)                                                      \
    [ability] = {name, meaning, offsetof(rdv_abilities, member)}
#define ENTRY(ability, member, meaning) NAMED(ability, member, #member, meaning)
    ENTRY(ABILITY_CHAT, chat, "replies to a conversation"),
    ENTRY(ABILITY_COMPLETIONS, completions, "continues a text"),
    ENTRY(ABILITY_ECHO, echo, "scores a text (echo)"),
    ENTRY(ABILITY_PROMPT_LOGPROBS, prompt_logprobs, "scores a text (prompt_logprobs)"),
    ENTRY(ABILITY_TOKEN_GRAMMAR, token_grammar, "scores a text (token grammar)"),
    ENTRY(ABILITY_LOGPROBS, logprobs, "gives the log-probabilities of a reply"),
    NAMED(ABILITY_MANY, many, "n", "gives several replies at once (n)"),
    NAMED(ABILITY_SYSTEM, system, "system_role", "takes a system turn"),
    NAMED(ABILITY_FREE_TURNS, free_turns, "repeated_roles", "takes two turns of one role in a row"),
    NAMED(ABILITY_PREFIX, prefix, "prefill", "continues an assistant's turn"),
    NAMED(ABILITY_PREFIX_BACK, prefix_back, "prefill_echo",
          "gives that turn back before what it adds"),
    ENTRY(ABILITY_MAX_TOKENS, max_tokens, "takes max_tokens"),
    NAMED(ABILITY_NO_TOKENS, no_tokens, "zero_max_tokens", "scores without writing (max_tokens 0)"),
    ENTRY(ABILITY_TEMPERATURE, temperature, "takes temperature"),
    ENTRY(ABILITY_TOP_P, top_p, "takes top_p"),
    ENTRY(ABILITY_STOP, stop, "takes stop texts"),
    NAMED(ABILITY_SCHEMA, schema, "response_format", "holds replies to a JSON schema"),
    ENTRY(ABILITY_CHOICE, choice, "holds replies to one of a few texts"),
    ENTRY(ABILITY_TOP_K, top_k, "takes top_k and min_p"),
    ENTRY(ABILITY_STREAM, stream, "sends a reply piece by piece"),
    NAMED(ABILITY_FINISH, finish, "finish_reason", "says how a reply ended"),
#undef ENTRY
#undef NAMED
};
_Static_assert(sizeof entries / sizeof *entries == N_ABILITIES, "every ability has its entry");
_Static_assert(sizeof(rdv_abilities) == N_ABILITIES * sizeof(rdv_can),
               "and nothing else is a member");

static rdv_can *member(const rdv_abilities *abilities, ability which)
{
    return (rdv_can *)((char *)(uintptr_t)abilities + entries[which].offset);
}

rdv_can ability_get(const rdv_abilities *abilities, ability which)
{
    return *member(abilities, which);
}

void ability_set(rdv_abilities *abilities, ability which, rdv_can can)
{
    *member(abilities, which) = can;
}

const char *rdv_software_name(rdv_software software)
{
    static const char *const names[] = {"unknown", "llama.cpp", "vLLM",
                                        "SGLang",  "Ollama",    "rederive"};
    return names[software];
}

const char *rdv_can_name(rdv_can can)
{
    return can == RDV_CAN ? "yes" : can == RDV_CANNOT ? "no" : "unknown";
}

int rdv_abilities_entry(const rdv_abilities *abilities, size_t i, const char **name,
                        const char **meaning, rdv_can *can)
{
    if (i >= N_ABILITIES)
        return RDV_NONE;
    *name = entries[i].name;
    *meaning = entries[i].meaning;
    *can = ability_get(abilities, (ability)i);
    return RDV_OK;
}
