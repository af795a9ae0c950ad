#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""GRPO steps of TRL with a tiny model and our reward, and verl's reward manager with it: `make check-rl`."""
import os
import tempfile
import unittest

os.environ.update(HF_HUB_OFFLINE='1', CUDA_VISIBLE_DEVICES='', TQDM_DISABLE='1')

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer

from rederive.rewards import Reward, compute_score

LETTERS = [*'0123456789+=', '<pad>', '<eos>']


def tiny():
    """A model that writes one digit, each as likely."""
    tokenizer = Tokenizer(models.WordLevel({letter: i for i, letter in enumerate(LETTERS)}, unk_token='<pad>'))
    tokenizer.pre_tokenizer = pre_tokenizers.Split('', 'isolated')
    torch.manual_seed(0)
    model = Qwen2ForCausalLM(Qwen2Config(vocab_size=len(LETTERS), hidden_size=16, intermediate_size=32,
                                         num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1,
                                         max_position_embeddings=64))
    return model, PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token='<pad>', eos_token='<eos>')


class Grpo(unittest.TestCase):
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
                                  args=GRPOConfig(output_dir=folder, max_steps=4, per_device_train_batch_size=16,
                                                  num_generations=16, max_completion_length=1, report_to=[],
                                                  logging_steps=1, use_cpu=True, bf16=False, save_strategy='no',
                                                  disable_tqdm=True, seed=1))
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


class Verl(unittest.TestCase):
    def test_the_naive_reward_manager(self):
        try:
            from verl import DataProto
            from verl.workers.reward_manager.naive import NaiveRewardManager
        except ImportError as error:
            self.skipTest(f'verl cannot be imported: {error}')
        import numpy as np

        _, tokenizer = tiny()
        texts, golds = ['4', '5', '0'], ['4', '4', '0.0']
        prompts = torch.tensor([tokenizer.encode('3+1=')] * 3)
        responses = torch.tensor([tokenizer.encode(text) for text in texts])
        data = DataProto.from_dict(
            tensors={'prompts': prompts, 'responses': responses,
                     'attention_mask': torch.ones(3, prompts.shape[1] + responses.shape[1], dtype=torch.long)},
            non_tensors={'data_source': np.array(['sums'] * 3, dtype=object),
                         'reward_model': np.array([{'ground_truth': gold} for gold in golds], dtype=object),
                         'extra_info': np.array([{}, {}, {}], dtype=object)})
        manager = NaiveRewardManager(tokenizer=tokenizer, num_examine=0, compute_score=compute_score)
        self.assertEqual(manager(data).sum(-1).tolist(), [1.0, 0.0, 1.0])


if __name__ == '__main__':
    unittest.main()
