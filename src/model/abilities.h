/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The members of rdv_abilities, counted, so that a set of them is a number. */
#include <rederive/model.h>

typedef enum able {
    ABLE_CHAT,
    ABLE_COMPLETIONS,
    ABLE_ECHO,
    ABLE_PROMPT_LOGPROBS,
    ABLE_TOKEN_GRAMMAR,
    ABLE_LOGPROBS,
    ABLE_MANY,
    ABLE_SYSTEM,
    ABLE_FREE_TURNS,
    ABLE_PREFIX,
    ABLE_PREFIX_BACK,
    ABLE_MAX_TOKENS,
    ABLE_NO_TOKENS,
    ABLE_TEMPERATURE,
    ABLE_TOP_P,
    ABLE_STOP,
    ABLE_SCHEMA,
    ABLE_CHOICE,
    ABLE_TOP_K,
    ABLE_STREAM,
    N_ABLE
} able;

#define ABLE_BIT(able) (1u << (able))

rdv_can able_get(const rdv_abilities *abilities, able which);
void able_set(rdv_abilities *abilities, able which, rdv_can can);

/* "unknown", "yes", "no": a static string. */
const char *rdv_can_name(rdv_can can);

/* "unknown", "llama.cpp", "vLLM", "SGLang", "Ollama", "rederive": a static string. */
const char *rdv_software_name(rdv_software software);

/* The members by name, for showing them: entry `i` of them; RDV_NONE: there are fewer. */
int rdv_abilities_entry(const rdv_abilities *abilities, size_t i, const char **name,
                        const char **meaning, rdv_can *can);
