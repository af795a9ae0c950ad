/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The members of rdv_abilities, counted, so that a set of them is a number. */
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
    N_ABILITIES
} ability;

#define ABILITY_BIT(ability) (1u << (ability))

rdv_can ability_get(const rdv_abilities *abilities, ability which);
void ability_set(rdv_abilities *abilities, ability which, rdv_can can);
