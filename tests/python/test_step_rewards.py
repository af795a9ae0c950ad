# SPDX-License-Identifier: Apache-2.0
"""Rewards of steps: what earns, what does not, and that no text without calculations earns more than one with."""
import asyncio
import itertools
import pickle
import random
import sys
import types
import unittest

import rederive
from rederive.step_rewards import Earned, StepReward, share_of, steps_of

QUESTION = 'What is 6 × 7 + 1?'
RIGHT = '6 × 7 = 42.\n\n42 + 1 = 43.\n\nThe answer is 43.'


class Steps(unittest.TestCase):
    def earns(self, *steps):
        return [one.earns for one in steps_of(QUESTION, '\n\n'.join(f'Step {i + 1}: {step}' for i, step in enumerate(steps)))]

    def test_supported_steps_earn_up_to_the_first_wrong_one(self):
        self.assertEqual(self.earns('6 × 7 = 42.', '42 + 1 = 43.', 'The answer is 43.'), [True, True, False])
        self.assertEqual(self.earns('6 × 7 = 42.', '42 + 1 = 44.', '44 + 0 = 44.'), [True, False, False])

    def test_a_calculation_earns_once(self):
        self.assertEqual(self.earns('6 × 7 = 42.', 'Again 6 × 7 = 42.', '6×7 = 42, and 42 + 1 = 43.'), [True, False, True])

    def test_ends_are_those_of_the_text(self):
        for one, step in zip(steps_of(QUESTION, RIGHT), RIGHT.split('\n\n')):
            self.assertEqual(RIGHT[:one.end].split('\n\n')[-1], step)

    def test_without_calculations_nothing_is_earned(self):
        """So no text with calculations, wrong ones too, earns less."""
        reward, drawn = StepReward(), random.Random(3)
        words = ['It is clear.', 'The answer is 43.', 'So we multiply.', 'Because of that, 43.', 'I think it is 43 of them.', '']
        sums = ['6 × 7 = 42.', '42 + 1 = 43.', '6 × 7 = 48.', '1 + 1 = 3.', '2 + 2 = 4.']
        for n in range(1, 4):
            for some in itertools.product(words, repeat=n):
                [without] = reward(prompts=[QUESTION], completions=['\n\n'.join(some)])
                self.assertEqual(without, 0, some)
                mixed = [*some, drawn.choice(sums)]
                drawn.shuffle(mixed)
                [with_] = reward(prompts=[QUESTION], completions=['\n\n'.join(mixed)])
                self.assertTrue(0 <= without <= with_ <= 1, mixed)
        self.assertEqual(reward.failed, 0)


class Trl(unittest.TestCase):
    def test_signature_and_share(self):
        logged = {}
        reward = StepReward()
        made = reward(prompts=[[{'role': 'user', 'content': QUESTION}]] * 3, completions=[[{'role': 'assistant', 'content': text}] for text in (
            RIGHT, '6 × 7 = 48.', '')], completion_ids=[[1]] * 3, trainer_state=None, log_metric=lambda name, value: logged.update({name: value}))
        self.assertEqual([round(one, 3) for one in made], [0.667, 0.0, 0.0])
        self.assertAlmostEqual(logged['rederive/wrong_step'], 1 / 3)
        self.assertEqual(pickle.loads(pickle.dumps(reward))(completions=[RIGHT]), [made[0]])
        self.assertEqual(reward.__name__, 'step_reward')

    def test_nothing_raises(self):
        reward = StepReward()
        with self.assertLogs('rederive', 'WARNING'):
            self.assertEqual(reward(prompts=[None] * 4, completions=[None, 3, [{'role': 'assistant', 'content': [3]}], RIGHT])[:3], [0.0] * 3)
        self.assertGreaterEqual(reward.failed, 3)
        with self.assertRaises(rederive.ArgumentError):
            StepReward('nothing')
        with self.assertRaises(rederive.ArgumentError):
            StepReward(decimals='dot')


class Naive:
    """What the manager is made of, without torch: as in verl 0.9.1 (tests/python_tools/trainers.py compares the sources)."""

    def __init__(self, config, tokenizer, compute_score, reward_router_address=None, reward_model_tokenizer=None):
        self.tokenizer, self.compute_score, self.loop = tokenizer, compute_score, asyncio.get_event_loop()

    async def run_single(self, data):
        return {'reward_score': 1.0, 'reward_extra_info': {'acc': 1.0}}

    @classmethod
    def assemble_rm_scores(cls, data, scores):
        rows = [dict.fromkeys(range(40), 0.0) for _ in scores]
        for row, score in zip(rows, scores):
            row[39] = float(score)
        return Tensor({(i, token): value for i, row in enumerate(rows) for token, value in row.items()})


class Tensor(dict):
    pass


class Verl(unittest.TestCase):
    def setUp(self):
        names = ('verl', 'verl.experimental', 'verl.experimental.reward_loop', 'verl.experimental.reward_loop.reward_manager',
                 'verl.experimental.reward_loop.reward_manager.naive')
        for name in names:
            self.addCleanup(sys.modules.pop, name, None)
            sys.modules[name] = types.ModuleType(name)
        sys.modules[names[-1]].NaiveRewardManager = Naive
        sys.modules.pop('rederive.verl_steps', None)
        self.addCleanup(sys.modules.pop, 'rederive.verl_steps', None)
        import rederive.verl_steps
        self.steps = rederive.verl_steps

    def test_tokens_at_which_a_step_ends(self):
        for size in (1, 2, 3, 5):
            tokens = [RIGHT[i:i + size] for i in range(0, len(RIGHT), size)]
            for end in range(1, len(RIGHT) + 1):
                at = self.steps.token_of(end, len(tokens), lambda n: ''.join(tokens[:n]))
                self.assertTrue(at * size < end <= (at + 1) * size, (size, end, at))

    def test_rewards_stand_at_the_ends_of_their_steps(self):
        tokens = [RIGHT[i:i + 4] for i in range(0, len(RIGHT), 4)]
        tokenizer = types.SimpleNamespace(decode=lambda ids, skip_special_tokens: ''.join(tokens[i] for i in ids))

        class Row(list):
            shape = (40,)

            def __getitem__(self, at):
                return Row(list.__getitem__(self, at)) if isinstance(at, slice) else list.__getitem__(self, at)

            def sum(self):
                return sum(self)

        batch = {'responses': Row(range(len(tokens))), 'attention_mask': Row([1] * len(tokens))}
        data = [types.SimpleNamespace(batch=batch)]

        async def scored():
            manager = self.steps.StepRewardManager(None, tokenizer, None)
            return manager, await manager.run_single(data)
        manager, made = asyncio.run(scored())
        score = pickle.loads(pickle.dumps(made['reward_score']))
        self.assertAlmostEqual(float(score), 1 + 0.2 * 2 / 3)
        self.assertEqual([token for token, _ in score.at], [10 // 4, (RIGHT.index('43.') + 2) // 4])
        self.assertAlmostEqual(made['reward_extra_info']['step_share'], 2 / 3)
        placed = manager.assemble_rm_scores(data, [score])
        self.assertEqual(placed[0, 39], 1.0)
        self.assertAlmostEqual(sum(placed.values()), float(score))
        self.assertEqual(share_of([]), 0)
        self.assertEqual(self.steps.rewards_at([Earned(-1, 'support', True)], 3, lambda n: ''), [])


if __name__ == '__main__':
    unittest.main()
