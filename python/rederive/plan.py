# SPDX-License-Identifier: Apache-2.0
"""The requests of a method, to be answered by a client of one's own."""
from __future__ import annotations

import importlib
import json
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Unpack

from rederive.commands import Errors, Results, arguments, errors_named, owned
from rederive.given import Many, Record as Given, records_of
from rederive.options import CheckOptions, RepairOptions, SolveOptions
from rederive.errors import ArgumentError, Error, error_of
from rederive.records import Record, RecordLines
from rederive.stages import MethodName, around

if TYPE_CHECKING:
    import asyncio

Kind = Literal['chat', 'continue', 'score', 'reward']
Failure = Literal['refused', 'unreachable', 'unreadable', 'timeout', 'budget', 'unavailable', 'cancelled', 'missing']

_FAILURES: tuple[Failure, ...] = ('refused', 'unreachable', 'unreadable', 'timeout', 'budget', 'unavailable',
                                  'cancelled', 'missing')  # as rdv_failure
_MOST_OPEN = 256  # plans that are open at a time
_NONE = 1
# The driver of a plan decides these, and a plan has no journal.
_OF_A_RUN = ('journal', 'jobs', 'rpm', 'tpm', 'retries', 'timeout', 'api_key_env', 'max_calls', 'max_tokens',
             'max_cost', 'max_seconds', 'price_in', 'price_out', 'trust_unfinished', 'separate_samples')
# What openai's create() knows by name; other members of a body are its `extra_body`.
_KNOWN = {
    '/chat/completions': {'model', 'messages', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'stop',
                          'logprobs', 'top_logprobs', 'response_format'},
    '/completions': {'model', 'prompt', 'max_tokens', 'temperature', 'top_p', 'stop', 'logprobs', 'echo'},
}


class _Done:
    """What `reply` and `fail` return: they have done their work, and may be awaited."""

    def __await__(self) -> Generator[None, None, None]:
        yield from ()


_DONE = _Done()


@dataclass(frozen=True, eq=False)
class Request:
    """What a plan asks of a model. Equal requests of different samples are different requests."""

    id: str
    """Names it within its plan; at most 42 characters."""
    kind: Kind
    """"chat": a reply to `messages`. "continue": the continuation of the last message, which is the
    assistant's, or of `text`. "score": the log-probabilities of the tokens of `text`, after `messages`.
    "reward": a score for each of `steps`, which solve `text`."""
    model: str
    role: Literal['generator', 'checker']
    stage: str
    """"selfcheck/target", for usage and progress."""
    prompt: str | None
    """The id of the prompt (docs/prompts.md)."""
    sample: str
    """Tells draws of one request apart: "chain 3, sample 0, round 0, try 0"."""
    messages: list[dict[str, str]]
    text: str | None
    steps: list[str]
    temperature: float | None
    """None: the server's default, as for `top_p` and `max_tokens`."""
    top_p: float | None
    max_tokens: int | None
    stop: list[str]
    """The reply ends before any of these."""
    logprobs: bool
    """The log-probability of each token of the reply is wanted, ..."""
    top_logprobs: int
    """... and of so many alternatives."""
    answers: list[str]
    """The conclusions that the reply may have, with structured=True; empty: any."""
    _plan: Plan = field(repr=False)
    _asked: Any = field(repr=False)
    _wire: list[Any] = field(repr=False, default_factory=list)

    def openai(self) -> dict[str, Any]:
        """The arguments of `client.chat.completions.create`, or of `client.completions.create` where
        `endpoint` is "/completions".

        They are what `rederive` itself would send, after what `Plan.refused` has learned of the server.

        Raises:
            Error: such a request has no form in OpenAI's API, or it was answered before this was first asked.
        """
        body: dict[str, Any] = json.loads(self._plan._body(self))
        known = _KNOWN.get(self.endpoint)
        if known is None:
            return body
        extra = {name: body.pop(name) for name in list(body) if name not in known}
        return {**body, 'extra_body': extra} if extra else body

    @property
    def endpoint(self) -> str:
        """"/chat/completions", "/completions", or "/pooling" and others of process reward models."""
        return self._plan._path(self)


class Plan:
    """The requests that checking, solving or repairing needs, driven by you: it does no input or output.

    ::

        plan = rederive.Plan.check(chains, method='selfcheck', model='my-model')
        async for request in plan:                  # or: for request in plan.ready()
            await plan.reply(request.id, text=..., finish='stop')
        records = plan.results()

    Requests come as soon as what they rest on was answered, so any number of them may be under way at
    a time, and be answered in any order: the records are the same. One that needs no answer any more
    is named by `cancelled`; a reply to it is ignored. One that cannot be answered is given to `fail`, and
    what rests on it becomes unknown, with the reason.

    It may be used by several threads, and by the process that made it, not by a fork of it.
    """

    def __init__(self, verb: Literal['check', 'solve', 'repair'], records: Given | Many, *,
                 model: str, checker: str | None = None, open_plans: int = _MOST_OPEN, errors: Errors = 'raise',
                 **options: object) -> None:
        """Use `Plan.check`, `Plan.solve` or `Plan.repair`."""
        for name in _OF_A_RUN:
            if options.get(name) is not None:
                raise ArgumentError(f'{name} has no effect on a plan: what drives it decides that; a Session '
                                    'has such an option', code='argument')
        if open_plans < 1:
            raise ArgumentError(f'open_plans is {open_plans}; at least 1 is wanted', code='argument')
        module = importlib.import_module('rederive._run')
        self._ffi, self._lib = module.ffi, module.lib
        self._lock = threading.RLock()
        self._waiting: dict[str, Request] = {}
        self._dropped: list[str] = []
        self._loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._abilities = self._ffi.new('rdv_abilities *')
        given = {**options, 'model': _named(model), 'checker': _named(checker)}
        self._results = _Planned(verb, given, records, open_plans, errors)

    @classmethod
    def check(cls, chains: Given | Many, method: MethodName | Sequence[MethodName], *,
              model: str, open_plans: int = _MOST_OPEN, errors: Errors = 'raise', **options: Unpack[CheckOptions]) -> Plan:
        """Find wrong steps, as `rederive.check`.

        Args:
            chains: all of them are read before the plan begins; each gives a record.
            method: a name of `methods()`, or several, with functions before and after them (see
                `rederive.method`); `verifiers` may have functions too.
            model: the name that requests and records state; also "http://HOST/v1#NAME".
            open_plans: chains that are open at a time.
            errors: as in `rederive.check`.
            options: `checker`, the name of another model that checks, and those of `rederive check` that do not
                concern a server.
        """
        stages = around(method, options)
        given: dict[str, Any] = stages.options
        plan = cls('check', stages.given(chains, errors), model=model, open_plans=open_plans, errors=errors, **given)
        plan._results.after = stages.made(errors)
        return plan

    @classmethod
    def solve(cls, questions: Given | Many, method: str | Sequence[str] = 'calculations', *,
              model: str, open_plans: int = _MOST_OPEN, errors: Errors = 'raise', **options: Unpack[SolveOptions]) -> Plan:
        """Answer questions with several checked solutions, as `rederive.solve`. Arguments as in `check`."""
        given: dict[str, Any] = {**options, 'method': method}
        return cls('solve', questions, model=model, open_plans=open_plans, errors=errors, **given)

    @classmethod
    def repair(cls, chains: Given | Many, *, model: str, open_plans: int = _MOST_OPEN,
               errors: Errors = 'raise', **options: Unpack[RepairOptions]) -> Plan:
        """Rewrite chains from their first error on, as `rederive.repair`. Arguments as in `check`."""
        given: dict[str, Any] = {**options}
        return cls('repair', chains, model=model, open_plans=open_plans, errors=errors, **given)

    # ---- requests --------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Nothing is left to ask."""
        with self._lock:
            return bool(self._lib.binding_plans_done(self._results.plans))

    @property
    def waiting(self) -> int:
        """How many requests were handed out and are not answered."""
        return len(self._waiting)

    def ready(self, most: int | None = None) -> list[Request]:
        """The requests that can be asked now and were not handed out before, at most `most` of them.

        Empty: a reply has to come first, or the plan is done.
        """
        made: list[Request] = []
        with self._lock:
            while (most is None or len(made) < most) and (request := self._next()):
                made.append(request)
        return made

    def cancelled(self) -> list[str]:
        """The ids of requests that were handed out and are no longer needed, each once."""
        with self._lock:
            dropped, self._dropped = self._dropped, []
        return dropped

    async def __aiter__(self) -> AsyncIterator[Request]:
        import asyncio  # not above, as in drivers.py
        while True:
            with self._lock:
                request = self._next()
                future: asyncio.Future[None] | None = None
                if request is None:
                    if self.done:
                        return
                    if not self._waiting:
                        raise Error('nothing can be asked, and nothing is under way', code='internal')
                    future = asyncio.get_running_loop().create_future()
                    self._loops.append((asyncio.get_running_loop(), future))
            if request is not None:
                yield request
            if future is not None:
                await future

    def _next(self) -> Request | None:
        self._results.check_process()
        number, asked = self._ffi.new('uint64_t *'), self._ffi.new('rdv_request *')
        error = self._ffi.new('rdv_error *')
        code = self._lib.binding_plans_next(self._results.plans, number, asked, error)
        if code < 0:
            raise self._fault(code, error)
        if code == _NONE:
            return None
        request = self._request(f'{number[0]}.{asked.id}', asked)
        self._waiting[request.id] = request
        return request

    def _request(self, name: str, asked: Any) -> Request:
        text, ffi, lib = self._text, self._ffi, self._lib
        sampling = asked.sampling
        return Request(
            id=name, kind=ffi.string(lib.rdv_request_kind_name(asked.kind)).decode(), model=text(asked.model) or '',
            role='generator' if asked.party == lib.RDV_GENERATOR else 'checker', stage=text(asked.stage) or '',
            prompt=text(asked.prompt), sample=text(asked.sample) or '',
            messages=[{'role': ffi.string(lib.rdv_role_name(asked.messages[i].role)).decode(),
                       'content': text(asked.messages[i].text) or ''} for i in range(asked.n_messages)],
            text=text(asked.text), steps=self._texts(asked.steps, asked.n_steps),
            temperature=_given(sampling.temperature), top_p=_given(sampling.top_p),
            max_tokens=sampling.max_tokens or None, stop=self._texts(sampling.stop, sampling.n_stop),
            logprobs=sampling.logprobs, top_logprobs=sampling.top_logprobs,
            answers=[] if asked.offered else self._texts(asked.answers, asked.n_answers), _plan=self, _asked=asked)

    def _text(self, text: Any) -> str | None:
        return bytes(self._ffi.buffer(text.p, text.len)).decode('utf-8', 'replace') if text.p else None

    def _texts(self, texts: Any, n: int) -> list[str]:
        return [self._text(texts[i]) or '' for i in range(n)]

    def _fault(self, code: int, error: Any) -> Exception:
        return error_of(code, self._ffi.string(error.msg).decode('utf-8', 'replace'))

    # ---- the form of OpenAI's API ----------------------------------------------------------------

    def _written(self, request: Request) -> Any:
        """The request on the wire: kept, so that its reply is read as what was asked."""
        with self._lock:
            if not request._wire:
                if request.id not in self._waiting:
                    raise Error(f'request {request.id} was answered already', code='argument')
                wire, error = self._ffi.new('binding_wire **'), self._ffi.new('rdv_error *')
                code = self._lib.binding_wire_new(request._asked, self._abilities, wire, error)
                if code == _NONE:
                    raise Error(self._ffi.string(error.msg).decode('utf-8', 'replace'), code='argument')
                if code < 0:
                    raise self._fault(code, error)
                request._wire.append(self._ffi.gc(wire[0], self._lib.binding_wire_free))
            return request._wire[0]

    def _body(self, request: Request) -> str:
        return self._text(self._lib.binding_wire_body(self._written(request))) or ''

    def _path(self, request: Request) -> str:
        path: str = self._ffi.string(self._lib.binding_wire_path(self._written(request))).decode()
        return path

    def refused(self, id: str, status: int, body: str = '') -> bool:
        """Tell that the server refused a request, with an HTTP status and the body of its response.

        True: the request can be asked in another form; ask it again with `Request.openai`, whose arguments
        are others now, for this request and those after it. False: it cannot; `fail` it.
        """
        with self._lock:
            request = self._waiting.get(id)
            if request is None:
                return False
            text, error = body.encode('utf-8', 'surrogatepass'), self._ffi.new('rdv_error *')
            code = self._lib.binding_wire_refused(self._written(request), status, text, len(text), self._abilities,
                                                  error)
            if code < 0:
                raise self._fault(code, error)
            if code == 0:
                request._wire.clear()
            return bool(code == 0)

    # ---- replies ---------------------------------------------------------------------------------

    def reply(self, id: str, text: str | None = None, *, finish: str | None = 'stop',
              tokens: Sequence[str] | None = None, logprobs: Sequence[float | None] | None = None,
              top_logprobs: Sequence[Mapping[str, float] | None] | None = None,
              rewards: Sequence[float | None] | None = None, prompt_tokens: int | None = None,
              completion_tokens: int | None = None, response: object = None) -> Awaitable[None]:
        """Answer a request. Done when it returns; the result may be awaited.

        Args:
            id: of the request.
            text: of the reply; of "score" it is the request's own.
            finish: "stop": complete. "length": cut off. Anything else, or None: it failed ("content_filter"),
                and is never read. The words of other servers ("eos", "end_turn", "max_tokens") are known.
            tokens: the texts of the tokens: of the reply, or for "score" of the text; together they spell it.
            logprobs: the natural logarithm of the probability of each token; None: not given.
            top_logprobs: of each token its alternatives.
            rewards: for "reward": one for each step; None: missing.
            prompt_tokens, completion_tokens: as the server counted them; None: it did not.
            response: in place of all these: the response of OpenAI's API, as its object, a dict, or JSON.

        Raises:
            Error: `response` is no reply; the request is still to be answered.
            ArgumentError: there is no such request, or arguments that do not go together.

        Thinking is taken out and the reply cut at `stop`, as in `rederive` itself.
        """
        with self._lock:
            request = self._outstanding(id)
            if request is None:
                return _DONE
            if rewards is not None:
                reply, kept = self._rewards(request, rewards)
                self._count(reply, prompt_tokens, completion_tokens)
            else:
                if response is None:
                    response = self._response(request, text, finish, tokens, logprobs, top_logprobs, prompt_tokens,
                                              completion_tokens)
                reply, kept = self._read(request, _json_of(response))
            self._answered(request, self._give, reply)
            del kept
        return _DONE

    def _outstanding(self, id: str) -> Request | None:
        """None: it was cancelled."""
        self._results.check_process()
        request = self._waiting.get(id)
        if request is None and id not in self._results.gone:
            raise ArgumentError(f'request {id!r} was not handed out, or is answered already', code='argument')
        return request

    def _give(self, number: int, request: Any, reply: Any, error: Any) -> int:
        return int(self._lib.binding_plans_reply(self._results.plans, number, request.id, reply, error))

    def _answered(self, request: Request, give: Any, *what: Any) -> None:
        number, error = int(request.id.partition('.')[0]), self._ffi.new('rdv_error *')
        code = give(number, request._asked, *what, error)
        if code < 0:
            raise self._fault(code, error)
        del self._waiting[request.id]
        dropped = self._ffi.new('uint64_t *')
        while self._lib.binding_plans_cancelled(self._results.plans, number, dropped) == 0:
            name = f'{number}.{dropped[0]}'
            if self._waiting.pop(name, None):
                self._results.gone.add(name)
                self._dropped.append(name)
        code = self._lib.binding_plans_settle(self._results.plans, error)
        if code < 0:
            raise self._fault(code, error)
        self._wake()

    def _wake(self) -> None:
        loops, self._loops = self._loops, []
        for loop, future in loops:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_set, future)

    def _rewards(self, request: Request, rewards: Sequence[float | None]) -> tuple[Any, Any]:
        if request.kind != 'reward' or len(rewards) != len(request.steps):
            raise ArgumentError(f'{len(rewards)} rewards for a {request.kind} request with {len(request.steps)} steps',
                                code='argument')
        values = self._ffi.new('double[]', [float('nan') if one is None else one for one in rewards])
        reply = self._ffi.new('rdv_reply *')
        reply.rewards, reply.n_rewards, reply.finish = values, len(rewards), self._lib.RDV_FINISH_STOP
        return reply, values

    @staticmethod
    def _count(reply: Any, prompt_tokens: int | None, completion_tokens: int | None) -> None:
        reply.usage = prompt_tokens is not None or completion_tokens is not None
        reply.prompt_tokens, reply.completion_tokens = prompt_tokens or 0, completion_tokens or 0

    def _response(self, request: Request, text: str | None, finish: str | None, tokens: Sequence[str] | None,
                  logprobs: Sequence[float | None] | None, top_logprobs: Sequence[Mapping[str, float] | None] | None,
                  prompt_tokens: int | None, completion_tokens: int | None) -> dict[str, Any]:
        """A response that says this, in the form in which this request would be sent."""
        if request.kind == 'reward':
            raise ArgumentError('a reward request is answered by `rewards` or `response`', code='argument')
        if text is None and request.kind != 'score':
            raise ArgumentError(f'a {request.kind} request is answered by `text` or `response`', code='argument')
        lists = [one for one in (tokens, logprobs, top_logprobs) if one is not None]
        if lists and (tokens is None or logprobs is None or len({len(one) for one in lists}) != 1):
            raise ArgumentError('tokens, logprobs and top_logprobs are lists of one length, and the last two need '
                                'tokens', code='argument')
        chat = self._path(request) == '/chat/completions'
        choice: dict[str, Any] = {'index': 0, 'finish_reason': finish}
        if chat:
            choice['message'] = {'role': 'assistant', 'content': text or ''}
        else:
            choice['text'] = text or ''
        if tokens is not None and logprobs is not None:
            others = top_logprobs if top_logprobs is not None else [None] * len(tokens)
            choice['logprobs'] = (_of_chat if chat else _of_completion)(tokens, logprobs, others)
            if request.kind == 'score':
                choice.setdefault('text', request.text)
                choice['prompt_logprobs'] = _of_prompt(tokens, logprobs, others)
        made: dict[str, Any] = {'choices': [choice]}
        if prompt_tokens is not None or completion_tokens is not None:
            made['usage'] = {'prompt_tokens': prompt_tokens or 0, 'completion_tokens': completion_tokens or 0}
        return made

    def _read(self, request: Request, body: bytes) -> tuple[Any, Any]:
        wire, reply, error = self._written(request), self._ffi.new('rdv_reply *'), self._ffi.new('rdv_error *')
        code = self._lib.binding_wire_reply(wire, request._asked, body, len(body), self._abilities, reply, error)
        if code == 0:
            return reply, wire
        if code == _NONE:
            request._wire.clear()
            raise LacksLogprobs(self._ffi.string(error.msg).decode('utf-8', 'replace'), code='input')
        raise self._fault(code, error)

    def fail(self, id: str, reason: str, *, failure: Failure = 'unreachable') -> Awaitable[None]:
        """Tell that a request gets no reply. What rests on it becomes unknown; it never counts as support.

        Args:
            reason: one line, which the record states.
            failure: what kind of reason, one word that the record states too.
        """
        _failure_named(failure)
        with self._lock:
            request = self._outstanding(id)
            if request is not None:
                why = ' '.join(reason.split()).encode('utf-8', 'replace')[:400] or b'no reason was given'
                self._answered(request, self._give_failure, _FAILURES.index(failure),
                               why.decode('utf-8', 'ignore').encode())
        return _DONE

    def _give_failure(self, number: int, request: Any, failure: int, why: bytes, error: Any) -> int:
        return int(self._lib.binding_plans_fail(self._results.plans, number, request.id, failure, why, len(why),
                                                error))

    # ---- the end ---------------------------------------------------------------------------------

    def stop(self, failure: Failure = 'cancelled') -> None:
        """End early: what is not answered becomes unknown, records are marked "partial", and chains that
        were not begun give none."""
        _failure_named(failure)
        with self._lock:
            error = self._ffi.new('rdv_error *')
            code = self._lib.binding_plans_close(self._results.plans, _FAILURES.index(failure), error)
            if code < 0:
                raise self._fault(code, error)
            for name in self._waiting:
                self._results.gone.add(name)
                self._dropped.append(name)
            self._waiting.clear()
            self._wake()

    def results(self) -> Results[Any]:
        """The records, in the order of the input, as the program writes them: dicts, or `.lines()` of bytes.

        While the plan is not done this stops it, see `stop`.
        """
        with self._lock:
            if not self.done:
                self.stop()
            self._lib.binding_plans_end(self._results.plans)
        return self._results

    def finished(self) -> list[Record]:
        """The records that are finished by now and were not taken before."""
        with self._lock:
            return [Record(json.loads(line)) for line in self._results.finished()]


class LacksLogprobs(Error):
    """The response has no log-probabilities, which a "score" request is about; asked again, with
    `Request.openai`, the request has another form if there is one."""


class _Planned(Results[Any]):
    """The results of a command whose plans are driven."""

    def __init__(self, verb: str, options: Mapping[str, object], records: Given | Many,
                 open_plans: int, errors: Errors) -> None:
        RecordLines.__init__(self)
        errors_named(errors)
        module = importlib.import_module('rederive._run')
        self.messages: list[str] = []
        self._ffi, self._lib, self._errors = module.ffi, module.lib, errors
        self._records, self._n_fed, self._verb, self._over = iter(()), 0, verb, False
        self._closer = None
        self._ready: Iterator[bytes] = iter(())
        self.after = None
        ffi, lib = self._ffi, self._lib
        words = [ffi.new('char[]', word.encode('utf-8', 'surrogateescape')) for word in arguments(verb, options)]
        command = lib.binding_command_new(verb.encode(), ffi.new('char *[]', words), len(words))
        self.plans = owned(ffi, lib.binding_plans_new(command, open_plans), lib.binding_plans_free)
        self._command = lib.binding_plans_command(self.plans)
        self.gone: set[str] = set()  # requests that need no reply any more
        for record in records_of(records):
            line = self._line_of(record)
            if not lib.binding_command_feed(self._command, line, len(line)):
                raise MemoryError
        lib.binding_command_end_input(self._command)
        code = lib.binding_plans_begin(self.plans)
        if code < 0:
            raise MemoryError('no thread can be started')
        if code == _NONE and lib.binding_command_wait(self._command, 0) == lib.BINDING_ENDED:
            self._end()

    def check_process(self) -> None:
        if self._pid != os.getpid():
            raise Error('a plan belongs to the process that made it, not to a fork of it', code='argument')

    def finished(self) -> list[bytes]:
        with self._lock:
            ready = self._lib.binding_command_wait(self._command, 0) == self._lib.BINDING_LINES
            lines = self._take() if ready else []
            return lines if self.after is None else [self.after(line) for line in lines]


def _named(model: str | None) -> str | None:
    """A model's name as the program takes it; no request is sent to this address."""
    if model is None or '://' in model or model.startswith(('openai:', 'builtin')):
        return model
    if model.startswith('transcript:'):
        raise ArgumentError('a transcript answers by itself; use rederive.check', code='argument')
    return f'http://localhost/v1#{model}'


def _failure_named(failure: str) -> None:
    if failure not in _FAILURES:
        raise ArgumentError(f'failure={failure!r}: must be one of {", ".join(_FAILURES)}', code='argument')


def _given(number: float) -> float | None:
    return None if number != number else number


def _set(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _json_of(response: object) -> bytes:
    if isinstance(response, bytes):
        return response
    if isinstance(response, str):
        return response.encode('utf-8', 'surrogatepass')
    dump = getattr(response, 'model_dump', None)
    return json.dumps(dump(mode='json') if dump else response).encode()


def _of_chat(tokens: Sequence[str], logprobs: Sequence[float | None],
             others: Sequence[Mapping[str, float] | None]) -> dict[str, Any]:
    return {'content': [{'token': t, 'logprob': p,
                         'top_logprobs': [{'token': o, 'logprob': q} for o, q in (other or {}).items()]}
                        for t, p, other in zip(tokens, logprobs, others)]}


def _of_completion(tokens: Sequence[str], logprobs: Sequence[float | None],
                   others: Sequence[Mapping[str, float] | None]) -> dict[str, Any]:
    return {'tokens': list(tokens), 'token_logprobs': list(logprobs),
            'top_logprobs': [dict(other) if other else None for other in others]}


def _of_prompt(tokens: Sequence[str], logprobs: Sequence[float | None],
               others: Sequence[Mapping[str, float] | None]) -> list[Any]:
    """As vLLM states the tokens of a prompt: the token itself comes first."""
    return [None if p is None else
            {str(i): {'decoded_token': o, 'logprob': q, 'rank': i + 1}
             for i, (o, q) in enumerate([(t, p), *((o, q) for o, q in (other or {}).items() if o != t)])}
            for t, p, other in zip(tokens, logprobs, others)]
