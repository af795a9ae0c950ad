# SPDX-License-Identifier: Apache-2.0
"""What strict type checkers accept; test_types.py has them read this and what they must refuse. It is not run."""
import asyncio
from collections import ChainMap
from pathlib import Path

import rederive
from rederive.types import CheckedChain, VoteResult

chain = {'question': 'What is 6 × 7?', 'steps': ['6 × 7 = 48.']}
checked: CheckedChain = rederive.check(chain)
first: int | None | str = checked['first_error']
verdict: str = checked['verdicts'][0]['verdict']
print(checked.get('checks'), checked['n_unknown'], rederive.check(ChainMap(chain))['confidence'])
for one in rederive.check([chain], ['calculations', 'values'], errors='keep', lambda_=[2, 0.1], decimal='comma'):
    print(one['confidence'], one.get('error'))
for path in ('run.jsonl', Path('run.parquet')):
    print(list(rederive.check(path, method_dir=Path('mine'))))
results = rederive.vote([chain], weight='confidence', subset_size=3)
result: VoteResult = next(results)
print(result['answer'], result['weight_share'], results.messages)
print(rederive.solve(chain, 'builtin', chains=3, stop='certain', max_cost=1.5)['answer'])
print([one['repair'] for one in rederive.repair([chain], 'builtin', rounds=2, accept='better')])
print(rederive.evaluate([checked], recipe='selfcheck:table2', verifiers=['math', len])['figures'])
print(rederive.convert([chain], 'trl', unrelated='wrong'), rederive.grade('1/2', None).correct)
plan = rederive.Plan.check([chain], 'selfcheck', model='m', open_plans=3, checker='n', samples=2)


async def asked() -> None:
    async with rederive.Session('builtin', journal='run.journal', max_calls=10, temperature=0.5, checker='builtin') as session:
        async for record in session.check([chain], 'global', threshold=0.7):
            print(record['method'])


asyncio.run(asked())
