#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""GRPO steps of TRL with tiny models and our rewards, and verl's reward managers with them: `make check-rl`."""
import os
import random
import tempfile
import unittest

os.environ.update(HF_HUB_OFFLINE='1', CUDA_VISIBLE_DEVICES='', TQDM_DISABLE='1')

import torch
from datasets import Dataset
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer

from rederive.rewards import Reward, accuracy_reward, compute_score
from rederive.step_rewards import StepReward

LETTERS = [*'0123456789+=', '<pad>', '<eos>']
QUESTION = 'What is 6 × 7 + 1?\n\n'
CALCULATIONS = ['6 × 7 = 42.\n\n', '42 + 1 = 43.\n\n', '2 + 2 = 4.\n\n', '6 × 7 = 48.\n\n', '1 + 1 = 3.\n\n']
WITHOUT = ['It is clear.\n\n', 'So we multiply.\n\n', 'The answer is 43.\n\n', 'The answer is 44.\n\n', 'I think that is so.\n\n']


def tiny(words=LETTERS, ends=''):
    """A model that writes one of the words after the other, each as likely, and its tokenizer; `ends` is a pattern of the ends of words."""
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token='<pad>'))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(ends), 'merged_with_previous') if ends else pre_tokenizers.Split('', 'isolated')
    tokenizer.decoder = decoders.Fuse()
    torch.manual_seed(0)
    model = Qwen2ForCausalLM(Qwen2Config(vocab_size=len(words), hidden_size=16, intermediate_size=32,
                                         num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1,
                                         max_position_embeddings=64))
    return model, PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token='<pad>', eos_token='<eos>')


def calculates(text):
    return any(one in text for one in CALCULATIONS)


def settings(folder, **more):
    """TRL's, without a GPU and without a word."""
    return GRPOConfig(output_dir=folder, report_to=[], logging_steps=1, use_cpu=True, bf16=False, save_strategy='no',
                      disable_tqdm=True, seed=1, **more)


class Grpo(unittest.TestCase):
    def test_a_thousand_solutions_with_rewards_of_steps(self):
        """The model writes sentences, of which half calculate."""
        model, tokenizer = tiny([QUESTION, *CALCULATIONS, *WITHOUT, '<pad>', '<eos>'], r'\n\n')
        steps, seen = StepReward(), []

        def kept(prompts, completions, **columns):
            got = steps(prompts, completions, **columns)
            seen.extend(zip(completions, got))
            return got

        data = Dataset.from_list([{'prompt': QUESTION, 'answer': '43'}] * 2)
        with tempfile.TemporaryDirectory() as folder:
            trainer = GRPOTrainer(model=model, processing_class=tokenizer, reward_funcs=[accuracy_reward, kept], train_dataset=data,
                                  args=settings(folder, max_steps=2, per_device_train_batch_size=1024, num_generations=512,
                                                max_completion_length=3, reward_weights=[1.0, 0.2]))
            trainer.train()
            logged = trainer.state.log_history[:2]
        self.assertEqual((len(seen), steps.failed), (2048, 0))
        without = [got for text, got in seen if not calculates(text)]
        with_ = [got for text, got in seen if calculates(text)]
        self.assertGreater(len(without), 100)
        self.assertGreater(len(with_), 1000)
        self.assertEqual(set(without), {0.0})
        self.assertGreater(sum(got > 0 for got in with_), 100)
        self.assertTrue(all(0 <= got <= 1 for got in with_))
        for step, texts in zip(logged, (seen[:1024], seen[1024:])):
            self.assertAlmostEqual(step['rewards/kept/mean'], sum(got for _, got in texts) / 1024, places=4)
            self.assertAlmostEqual(step['reward'], step['rewards/accuracy_reward/mean'] + 0.2 * step['rewards/kept/mean'], places=4)
            self.assertGreater(step['grad_norm'], 0)
            self.assertTrue(0 < step['rederive/wrong_step'] < 1)

    def test_steps_with_our_reward(self):
        model, tokenizer = tiny()
        reward, seen = Reward(), []

        def kept(prompts, completions, **columns):
            got = reward(prompts, completions, **columns)
            seen.extend(zip(completions, columns['answer'], got))
            return got

        data = Dataset.from_list([{'prompt': f'{a}+1=', 'answer': str(a + 1)} for a in range(8)])
        with tempfile.TemporaryDirectory() as folder:
            trainer = GRPOTrainer(model=model, processing_class=tokenizer, reward_funcs=[kept, Reward()],
                                  train_dataset=data,
                                  args=settings(folder, max_steps=4, per_device_train_batch_size=16, num_generations=16,
                                                max_completion_length=1))
            trainer.train()
            logged = trainer.state.log_history[:4]
        self.assertEqual(len(seen), 64)
        # One digit is right if it is the answer: nothing of ours is needed to know.
        self.assertEqual([got for _, _, got in seen], [float(text == answer) for text, answer, _ in seen])
        self.assertIn(1.0, [got for _, _, got in seen])
        self.assertEqual(sum(reward.counts().values()), 64)
        self.assertTrue(any(step['grad_norm'] > 0 for step in logged))
        for step in logged:
            self.assertEqual(step['rewards/kept/mean'], step['rewards/accuracy_reward/mean'])
            self.assertIn('rederive/undecided', step)


def batch_of(tokenizer, prompts, texts, golds):
    """verl's batch of replies: prompts filled up on the left, replies on the right."""
    import numpy as np
    from verl import DataProto

    tokenizer.padding_side = 'left'
    asked = tokenizer(prompts, padding=True, return_tensors='pt')
    tokenizer.padding_side = 'right'
    replied = tokenizer(texts, padding=True, return_tensors='pt')
    return DataProto.from_dict(
        tensors={'prompts': asked['input_ids'], 'responses': replied['input_ids'],
                 'attention_mask': torch.cat([asked['attention_mask'], replied['attention_mask']], dim=1)},
        non_tensors={'data_source': np.array(['sums'] * len(texts), dtype=object),
                     'reward_model': np.array([{'ground_truth': gold} for gold in golds], dtype=object),
                     'extra_info': np.array([{} for _ in texts], dtype=object)})


class Verl(unittest.TestCase):
    def setUp(self):
        try:
            import verl  # noqa: F401
        except ImportError as error:
            self.skipTest(f'verl cannot be imported: {error}')

    def test_the_naive_reward_manager(self):
        from verl.workers.reward_manager.naive import NaiveRewardManager

        _, tokenizer = tiny()
        data = batch_of(tokenizer, ['3+1='] * 3, ['4', '5', '0'], ['4', '4', '0.0'])
        manager = NaiveRewardManager(tokenizer=tokenizer, num_examine=0, compute_score=compute_score)
        self.assertEqual(manager(data).sum(-1).tolist(), [1.0, 0.0, 1.0])

    def test_a_thousand_solutions_with_rewards_of_steps(self):
        """By the worker that the trainer starts, with the manager and the function that the settings name. Ray's processes are
        left out: what they send is pickled as they do."""
        from omegaconf import OmegaConf
        from ray import cloudpickle
        from verl.experimental.reward_loop import RewardLoopWorker
        from verl.trainer.ppo.core_algos import compute_reinforce_plus_plus_outcome_advantage
        from verl.trainer.ppo.reward import resolve_reward_manager_cls

        words = sorted({word for text in (QUESTION, *CALCULATIONS, *WITHOUT) for word in text.replace(' ', ' |').split('|')})
        _, tokenizer = tiny([*words, '<pad>', '<eos>'], r'\n\n| ')
        drawn = random.Random(1)
        without = [drawn.choices(WITHOUT, k=drawn.randint(1, 4)) for _ in range(1000)]
        with_ = [drawn.sample(one := [*some, *drawn.choices(CALCULATIONS, k=drawn.randint(1, 2))], len(one)) for some in without]
        texts = [''.join(some) for some in without + with_]
        data = batch_of(tokenizer, [QUESTION] * len(texts), texts, ['43'] * len(texts))
        with tempfile.TemporaryDirectory() as folder:
            tokenizer.save_pretrained(folder)
            config = OmegaConf.create({
                'actor_rollout_ref': {'model': {'path': folder, 'tokenizer_path': None}},
                'reward': {'reward_model': {'enable': False},
                           'custom_reward_function': {'path': 'pkg://rederive.rewards', 'name': 'compute_score'},
                           'reward_manager': {'source': 'importlib', 'name': 'StepRewardManager',
                                              'module': {'path': 'pkg://rederive.verl_steps', 'name': None}}}})
            worker = RewardLoopWorker(config)
            made = cloudpickle.loads(cloudpickle.dumps(worker.loop.run_until_complete(worker.compute_score_batch(data))))
        scores = [one['reward_score'] for one in made]
        rewards = resolve_reward_manager_cls(config).assemble_rm_scores(data, scores)
        outcome = torch.tensor([one['reward_extra_info']['acc'] for one in made], dtype=torch.float32)
        mask = data.batch['attention_mask'][:, data.batch['prompts'].shape[1]:]
        last = mask.sum(1) - 1
        of_steps = rewards.clone()
        of_steps[torch.arange(len(texts)), last] -= outcome
        self.assertEqual(set(outcome.tolist()), {0.0, 1.0})
        self.assertEqual(of_steps[:1000].abs().max(), 0)
        self.assertGreaterEqual(of_steps[1000:].min(), -1e-6)
        self.assertLessEqual(of_steps.sum(1).max(), 0.2 + 1e-6)
        self.assertGreater((of_steps[1000:].sum(1) > 0.01).sum(), 300)
        # A reward of a step stands where a sentence ends, and it is one that calculates.
        for i, token in (of_steps > 1e-6).nonzero().tolist():
            said = tokenizer.decode(data.batch['responses'][i, :token + 1])
            self.assertTrue(said.endswith('\n\n') and calculates(said.split('\n\n')[-2] + '\n\n'), said)
        self.assertEqual({tuple(sorted(one['reward_extra_info'])) for one in made}, {('acc', 'step_share', 'wrong_step')})
        self.assertTrue(torch.allclose(rewards.sum(1), torch.tensor(scores), atol=1e-5))
        _, returns = compute_reinforce_plus_plus_outcome_advantage(rewards, mask, OmegaConf.create({'gamma': 1.0}))
        self.assertTrue(torch.allclose(returns[:, 0], rewards.sum(1), atol=1e-5))


if __name__ == '__main__':
    unittest.main()
