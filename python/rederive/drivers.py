# SPDX-License-Identifier: Apache-2.0
"""What carries a plan out: a client of OpenAI's API, or a function that answers requests in batches."""
from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rederive.commands import Results
from rederive.errors import ArgumentError, Error
from rederive.plan import Failure, LacksLogprobs, Plan, Request

if TYPE_CHECKING:
    import asyncio

_REASON = 300  # characters of a reason that a record states


class Stop(Exception):
    """Raised by the function of `drive_batches`: end the plan, and keep what is done."""


Reply = str | Mapping[str, Any] | Exception | object


# ---- a client of OpenAI's API --------------------------------------------------------------------

async def drive(plan: Plan, client: Any, *, concurrency: int = 64) -> Results[Any]:
    """Carry a plan out with an `openai.AsyncOpenAI`, or a client with the same methods.

    Args:
        concurrency: requests that are under way at a time.

    Returns:
        The records, as `Plan.results`.

    Raises:
        Error: the server refuses the key. The plan is ended; `Plan.results` has what was done.

    Retries, time limits and rate limits are the client's (`max_retries`, `timeout`). Replies are read as
    `rederive` itself reads them: a refusal, a filter or a reply that was cut off counts as failed, never as
    support. A request that the server refuses in one form is asked in another if there is one. Where this is
    cancelled the plan is ended, see `Plan.stop`.
    """
    import asyncio  # not above: it takes longer to load than the package, and who drives a plan has loaded it
    if concurrency < 1:
        raise ArgumentError(f'concurrency is {concurrency}; at least 1 is wanted', code='argument')
    tasks: dict[str, asyncio.Task[None]] = {}
    teller = _Teller(plan, getattr(client, 'api_key', None))
    room = asyncio.Semaphore(concurrency)
    broken: list[Exception] = []

    async def ask(request: Request) -> bool:
        try:
            reply = await _create(client, request)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            reply = ConnectionError(str(error) or 'the client cancelled the request')  # by itself, not we
        except Exception as error:  # whatever a client raises is the failure of this request
            reply = error
        return teller.take(request, reply)

    async def answer(request: Request) -> None:
        try:
            while not await ask(request):
                pass
        except Exception as error:  # ours: it would otherwise be waited for without end
            broken.append(error)
            plan.stop()
        finally:
            room.release()

    try:
        await room.acquire()
        async for request in plan:
            tasks[request.id] = asyncio.create_task(answer(request))
            await room.acquire()
            _drop(plan, tasks)
            if teller.refused is not None:
                break
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        if not plan.done:
            plan.stop()
    if broken or teller.refused is not None:
        raise broken[0] if broken else teller.refused or Error('refused')
    return plan.results()


def _drop(plan: Plan, tasks: dict[str, asyncio.Task[None]]) -> None:
    """Cancel what is no longer needed, and forget what has ended."""
    for name in plan.cancelled():
        if name in tasks:
            tasks[name].cancel()
    for name in [name for name, task in tasks.items() if task.done()]:
        del tasks[name]


async def _create(client: Any, request: Request) -> Any:
    arguments, endpoint = request.openai(), request.endpoint
    if endpoint == '/chat/completions':
        return await client.chat.completions.create(**arguments)
    if endpoint == '/completions':
        return await client.completions.create(**arguments)
    post = getattr(client, 'post', None)
    if post is None or endpoint == '/tokenize':
        raise Error(f'this client does not ask {endpoint}', code='argument')
    return await post(endpoint, cast_to=object, body=arguments)


# ---- what came -----------------------------------------------------------------------------------

class _Teller:
    """Tells a plan what came of a request: a reply, or an exception."""

    def __init__(self, plan: Plan, key: object = None) -> None:
        self.plan = plan
        self.refused: Error | None = None  # the server refuses the key, and with it every request
        self.answered = False
        self.key = key if isinstance(key, str) and len(key) >= 8 else None

    def take(self, request: Request, reply: object) -> bool:
        """False: the request is to be asked in another form."""
        try:
            if isinstance(reply, Exception):
                return self._take_error(request, reply)
            if reply is None:
                raise Error('no reply came')
            self._take_reply(request, reply)
            self.answered = True
        except LacksLogprobs:
            return False
        except ArgumentError:
            raise
        except Error as error:
            self.fail(request, error.message, 'unreadable')
        return True

    def _take_reply(self, request: Request, reply: object) -> None:
        if isinstance(reply, str):
            self.plan.reply(request.id, reply)
        elif isinstance(reply, Mapping) and not {'choices', 'data', 'error'} & reply.keys():
            self.plan.reply(request.id, **reply)
        else:
            self.plan.reply(request.id, response=self._without_key(reply))

    def _without_key(self, response: Any) -> Any:
        """Servers quote the key in what they say."""
        if self.key is None:
            return response
        dump = getattr(response, 'model_dump_json', None)
        return self._hide(dump() if dump else json.dumps(response))

    def _take_error(self, request: Request, error: Exception) -> bool:
        status = getattr(error, 'status_code', None)
        if not isinstance(status, int):
            unavailable = isinstance(error, Error) and error.code == 'argument'
            self.fail(request, str(error) or type(error).__name__,
                      'unavailable' if unavailable else _failure_of(error))
            return True
        if status in (401, 403) and not self.answered:
            self.refused = Error(self._hide(f'the server refuses the API key: HTTP {status}: {error}'), code='io')
        elif self.plan.refused(request.id, status, _body_of(error)):
            return False
        again = status in (408, 425, 429) or status >= 500 and status not in (501, 505)
        self.fail(request, f'HTTP {status}: {_message_of(error)}', 'unreachable' if again else 'refused')
        return True

    def _hide(self, text: str) -> str:
        return text.replace(self.key, '*' * len(self.key)) if self.key else text

    def fail(self, request: Request, reason: str, failure: Failure) -> None:
        self.plan.fail(request.id, self._hide(reason)[:_REASON], failure=failure)


def _body_of(error: Exception) -> str:
    text = getattr(getattr(error, 'response', None), 'text', None)
    if isinstance(text, str):
        return text
    body = getattr(error, 'body', None)
    return body if isinstance(body, str) else json.dumps(body)


def _message_of(error: Exception) -> str:
    body = getattr(error, 'body', None)
    if isinstance(body, Mapping) and isinstance(body.get('message'), str):
        return str(body['message'])
    return getattr(error, 'message', None) or str(error)


def _failure_of(error: Exception) -> Failure:
    """The client's own exceptions are known by their names, so that any client will do."""
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & {'APITimeoutError', 'TimeoutError', 'TimeoutException'}:
        return 'timeout'
    if names & {'APIResponseValidationError', 'JSONDecodeError'}:
        return 'unreadable'
    return 'unreachable'


# ---- a function ----------------------------------------------------------------------------------

def drive_batches(plan: Plan, answer: Callable[[list[Request]], Sequence[Reply]],
                  batch_size: int = 256) -> Results[Any]:
    """Carry a plan out with a function that takes a list of requests and returns a list of replies, in order.

    Args:
        answer: called with 1 to `batch_size` requests. A reply is a text; a dict with the arguments of
            `Plan.reply`, {"text": ..., "finish": "length"}, or a response of OpenAI's API as it is; or an
            exception, with which that request fails.
        batch_size: requests that are given at a time; the last ones of a round may be fewer.

    Returns:
        The records, as `Plan.results`.

    Where `answer` raises, all requests of that call fail with the exception's text, and the plan goes on;
    it is ended, with what is done, by `Stop`. Ctrl-C, SystemExit and the like end the plan and are raised.

    >>> chain = {'question': 'What is 12 boxes of 48?', 'steps': ['12 boxes of 48 are 586.']}
    >>> plan = Plan.check([chain], 'global', model='mine')
    >>> [record] = drive_batches(plan, lambda requests: ['12 × 48 is 576. Wrong' for _ in requests])
    >>> record['verdicts'][0]['verdict']
    'contradict'
    """
    if batch_size < 1:
        raise ArgumentError(f'batch_size is {batch_size}; at least 1 is wanted', code='argument')
    teller = _Teller(plan)
    try:
        again: list[Request] = []
        while requests := again + plan.ready(batch_size - len(again)):
            again = [request for request, reply in zip(requests, _replies(requests, answer))
                     if not teller.take(request, reply)]
    except Stop:
        pass
    except BaseException:
        plan.stop()
        raise
    return plan.results()


def _replies(requests: list[Request], answer: Callable[[list[Request]], Sequence[Reply]]) -> Sequence[Reply]:
    try:
        replies = answer(requests)
    except Stop:
        raise
    except Exception as error:  # the failure of these requests, whatever it is
        return [error] * len(requests)
    if isinstance(replies, (str, bytes)) or not isinstance(replies, Sequence):
        raise ArgumentError(f'a {type(replies).__name__} came to {len(requests)} requests; a list of replies is wanted',
                            code='argument')
    if len(replies) != len(requests):
        raise ArgumentError(f'{len(replies)} replies came to {len(requests)} requests', code='argument')
    return replies
