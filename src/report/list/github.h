/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Findings as the annotations of a pull request: the workflow commands of GitHub Actions,
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands. */
#include "base/buf.h"
#include "report/list/finding.h"

/* "::error file=notes.md,line=3,col=9,title=calculations::MESSAGE" as a line. */
void github_put(const finding *f, rdv_buf *b);
