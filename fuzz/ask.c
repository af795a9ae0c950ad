/* SPDX-License-Identifier: Apache-2.0 */
/* The body of a request to `rederive serve`: it is read, or refused in one sentence with a status;
 * what is read keeps the limits. The first byte chooses the address. */
#include "base/str.h"
#include "server/ask.h"

#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check(const ask *a)
{
    const rdv_sampling *s = &a->sampling;
    size_t prompts = a->n_prompts ? a->n_prompts : 1;
    require(a->n >= 1 && a->n * prompts <= ASK_MAX_CHOICES);
    require(a->form == ASK_CHAT ? a->n_messages > 0 : a->n_prompts > 0);
    require(a->n_messages <= ASK_MAX_MESSAGES);
    require(s->temperature >= 0 && s->temperature <= 2 && s->top_p > 0 && s->top_p <= 1);
    require(s->n_stop <= ASK_MAX_STOPS && s->top_logprobs <= ASK_MAX_TOP);
    require(a->top_prompt <= ASK_MAX_TOP);
    for (size_t i = 0; i < s->n_stop; i++)
        require(s->stop[i].len > 0 && s->stop[i].len <= ASK_MAX_STOP_BYTES);
    for (size_t i = 0; i < a->n_messages; i++)
        require(a->messages[i].text.p != NULL);
    require(!a->continues || a->messages[a->n_messages - 1].role == RDV_ASSISTANT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ask a;
    fault f = {0};
    rdv_arena *arena = size ? rdv_arena_new(0) : NULL;
    if (!arena)
        return 0;
    rdv_str body = {(const char *)data + 1, size - 1};
    if (ask_read(data[0] & 1 ? ASK_TEXT : ASK_CHAT, body, arena, &a, &f))
        check(&a);
    else
        require(f.status == 400 && f.message[0]);
    rdv_arena_free(&arena);
    return 0;
}
