/* SPDX-License-Identifier: Apache-2.0 */
/* The body of a request to `rederive serve`: it is read, or refused in one sentence with a status;
 * what is read keeps the limits. The first byte chooses the address. */
#include "base/str.h"
#include "server/completion_request.h"

#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check(const completion_request *a)
{
    const rdv_sampling *s = &a->request.sampling;
    size_t prompts = a->n_prompts ? a->n_prompts : 1;
    require(a->n >= 1 && a->n * prompts <= COMPLETION_MAX_CHOICES);
    require(a->form == COMPLETION_CHAT ? a->request.n_messages > 0 : a->n_prompts > 0);
    require(a->request.n_messages <= COMPLETION_MAX_MESSAGES);
    require(s->temperature >= 0 && s->temperature <= 2 && s->top_p > 0 && s->top_p <= 1);
    require(s->n_stop <= COMPLETION_MAX_STOPS && s->top_logprobs <= COMPLETION_MAX_TOP);
    require(a->top_prompt <= COMPLETION_MAX_TOP);
    for (size_t i = 0; i < s->n_stop; i++)
        require(s->stop[i].len > 0 && s->stop[i].len <= COMPLETION_MAX_STOP_BYTES);
    for (size_t i = 0; i < a->request.n_messages; i++)
        require(a->request.messages[i].text.p != NULL);
    require(a->request.kind != RDV_REQUEST_CONTINUE || a->form == COMPLETION_TEXT ||
            a->request.messages[a->request.n_messages - 1].role == RDV_ASSISTANT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    completion_request a;
    api_error f = {0};
    rdv_arena *arena = size ? rdv_arena_new(0) : NULL;
    if (!arena)
        return 0;
    rdv_str body = {(const char *)data + 1, size - 1};
    if (completion_request_read(data[0] & 1 ? COMPLETION_TEXT : COMPLETION_CHAT, body, arena, &a,
                                &f))
        check(&a);
    else
        require(f.status == 400 && f.message[0]);
    rdv_arena_free(&arena);
    return 0;
}
