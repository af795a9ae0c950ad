# SPDX-License-Identifier: Apache-2.0
"""A scanner of Inspect Scout: which replies in transcripts have wrong steps.

    from rederive_llm.scout_scanner import wrong_steps
    scan(transcripts_from('logs'), scanners=[wrong_steps()])

It stands here and not in `rederive`: Scout looks for a distribution with the name of a scanner's package.
"""
from __future__ import annotations

from typing import Any

from inspect_scout import Reference, Result, Scanner, Transcript, scanner

import rederive


def _question(messages: list[Any], at: int) -> str:
    """What the user said last before the message of that number."""
    return next((one.text for one in reversed(messages[:at]) if one.role == 'user' and one.text.strip()), '-')


@scanner(messages='all', name='wrong_steps')
def wrong_steps(method: str = 'calculations', model: str | None = None) -> Scanner[Transcript]:
    """Check the steps of every reply of the assistant.

    The value is the number of wrong steps, of all replies. None: there was no reply, or none in which anything was decided:
    that nothing is known to be wrong is not said to be right. The references name the messages.
    """

    async def scan(transcript: Transcript) -> Result:
        wrong, decided, unknown = 0, 0, 0
        said: list[str] = []
        cited: list[Reference] = []
        for at, message in enumerate(transcript.messages):
            if message.role != 'assistant' or not message.text.strip():
                continue
            try:
                record = rederive.check({'question': _question(transcript.messages, at), 'solution': message.text}, method, model)
            except rederive.Error:
                unknown += 1
                continue
            for verdict in record['verdicts']:
                decided += verdict['verdict'] in ('support', 'contradict')
                unknown += verdict['verdict'] == 'unknown'
                if verdict['verdict'] != 'contradict':
                    continue
                wrong += 1
                cited.append(Reference(type='message', id=message.id or '', cite=f'[M{at + 1}]'))
                said.append(f'[M{at + 1}] step {verdict["step"]}: {verdict.get("explanation", "wrong")}')
        return Result(value=wrong if decided else None, explanation='\n'.join(said) or None,
                      metadata={'n_decided': decided, 'n_unknown': unknown}, references=cited)

    return scan
