/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The members of rdv_abilities, numbered, so that a set of them is a bit mask. */
#include <rederive/model.h>

typedef enum ability {
    ABILITY_CHAT,
    ABILITY_COMPLETIONS,
    ABILITY_ECHO,
    ABILITY_PROMPT_LOGPROBS,
    ABILITY_TOKEN_GRAMMAR,
    ABILITY_LOGPROBS,
    ABILITY_MANY,
    ABILITY_SYSTEM,
    ABILITY_FREE_TURNS,
    ABILITY_PREFIX,
    ABILITY_PREFIX_BACK,
    ABILITY_MAX_TOKENS,
    ABILITY_NO_TOKENS,
    ABILITY_TEMPERATURE,
    ABILITY_TOP_P,
    ABILITY_STOP,
    ABILITY_SCHEMA,
    ABILITY_CHOICE,
    ABILITY_TOP_K,
    ABILITY_STREAM,
    ABILITY_FINISH,
    N_ABILITIES
} ability;

#define ABILITY_BIT(ability) (1u << (ability))

rdv_can ability_get(const rdv_abilities *abilities, ability which);
void ability_set(rdv_abilities *abilities, ability which, rdv_can can);

/* "unknown", "yes", "no": a static string. */
const char *rdv_can_name(rdv_can can);

/* "unknown", "llama.cpp", "vLLM", "SGLang", "Ollama", "rederive": a static string. */
const char *rdv_software_name(rdv_software software);

/* The members by name, for display: entry `i`; RDV_NONE: there are fewer. */
int rdv_abilities_entry(const rdv_abilities *abilities, size_t i, const char **name,
                        const char **meaning, rdv_can *can);
