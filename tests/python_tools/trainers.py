# SPDX-License-Identifier: Apache-2.0
"""How TRL and verl call a reward function, read from their sources: neither is imported, since both need torch."""
import ast
import importlib.util
import inspect
import unittest
from pathlib import Path

from rederive.rewards import accuracy_reward, compute_score, compute_scores


def source_of(package, path):
    return ast.parse((Path(importlib.util.find_spec(package).submodule_search_locations[0]) / path).read_text())


def calls_of(tree, function):
    """The names that each call of `function` gives its arguments; "**" for what is in a dict."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == function:
            yield [keyword.arg or '**' for keyword in node.keywords], len(node.args)


class Trl(unittest.TestCase):
    def test_grpo(self):
        tree = source_of('trl', 'trainer/grpo_trainer.py')
        [(names, positional)] = {(tuple(names), n) for names, n in calls_of(tree, 'reward_func')
                                 if 'completions' in names}
        self.assertEqual((names, positional), (('prompts', 'completions', 'completion_ids', '**'), 0))
        given = [ast.unparse(node.slice).strip("'") for node in ast.walk(tree) if isinstance(node, ast.Subscript)
                 and ast.unparse(node.value) == 'reward_kwargs' and isinstance(node.ctx, ast.Store)]
        self.assertIn('log_metric', given)
        inspect.signature(accuracy_reward).bind(**dict.fromkeys((*names[:-1], *given, 'answer')))


class Verl(unittest.TestCase):
    def bind(self, path, function):
        found = 0
        for names, positional in calls_of(source_of('verl', path), 'self.compute_score'):
            self.assertEqual(positional, 0)
            inspect.signature(function).bind(**dict.fromkeys(name for name in names if name != '**'))
            found += 1
        self.assertGreater(found, 0, path)

    def test_one_completion(self):
        for path in ('experimental/reward_loop/reward_manager/naive.py', 'workers/reward_manager/naive.py',
                     'workers/reward_manager/dapo.py'):
            with self.subTest(path):
                self.bind(path, compute_score)
        inspect.signature(compute_score).bind('gsm8k', 'text', 'gold', None)  # the manager "prime"
        inspect.signature(compute_score).bind('gsm8k', 'text', 'gold', reward_router_address=None,
                                              reward_model_tokenizer=None)

    def test_the_manager_with_rewards_of_steps(self):
        """What ours overrides has these names and arguments, and is called so."""
        base = source_of('verl', 'experimental/reward_loop/reward_manager/naive.py')
        [init, run] = [one for one in ast.walk(base) if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))
                       and one.name in ('__init__', 'run_single')]
        self.assertEqual([one.arg for one in init.args.args][:4], ['self', 'config', 'tokenizer', 'compute_score'])
        self.assertEqual((type(run), [one.arg for one in run.args.args]), (ast.AsyncFunctionDef, ['self', 'data']))
        self.assertIn('return {\'reward_score\': reward, \'reward_extra_info\': reward_extra_info}', ast.unparse(run))
        for said in ("data_item.batch['responses']", "data_item.batch['attention_mask'][-response_length:].sum()", 'self.loop.run_in_executor'):
            self.assertIn(said, ast.unparse(run))
        loop = ast.unparse(source_of('verl', 'experimental/reward_loop/reward_loop.py'))
        self.assertIn("scores = [item['reward_score'] for item in outputs_flat]", loop)
        self.assertIn('self.reward_manager_cls.assemble_rm_scores(data, scores)', loop)

    def test_a_batch(self):
        self.bind('workers/reward_manager/batch.py', compute_scores)


if __name__ == '__main__':
    unittest.main()
