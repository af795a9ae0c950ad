/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a run in rounds, by OpenAI's Batch format. */
#include "options.h"
#include "settings.h"

const struct opt options_batch[] = {
    OPTION_OUT("batch-out", 0, batch.out, "FILE",
               "Ask nothing; write every request that is ready and that the journal does not "
               "answer to FILE in OpenAI's Batch format, and exit with 6. requests.jsonl stands "
               "for requests-001.jsonl and so on. Import the results with 'rederive journal "
               "import --batch', and run the same command again, until it is done "
               "(docs/batch.md)"),
    OPTION_CHOICE("batch-server", 0, batch.server, "WHAT", "openai|openai-reasoning|vllm", "openai",
                  "What runs the batch, which decides the form of requests: openai, and providers "
                  "with the same interface; openai-reasoning: models that take "
                  "max_completion_tokens, and no temperature; vllm: 'vllm run-batch'"),
    OPTION_NATURAL("batch-size", 0, batch.size, "N", "50000", 1, 1e9,
                   "The maximum number of requests in a file. A file has at most 200 MB"),
    OPTION_FLAG("batch-again", 0, batch.again,
                "Write also requests that were written before and have no result, or failed for "
                "good"),
    OPTION_NUMBER("batch-discount", 0, batch.discount, "SHARE", NULL, 0, 1,
                  "How much less a batch costs than --price-in and --price-out say: 0.5 for half. "
                  "Default: nothing"),
    {0},
};
