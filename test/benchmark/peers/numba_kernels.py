"""The loops of numba_loop.py; imports numba. Arguments are inputs, then results."""

import numba
import numpy as np
from numba import prange

from bench.estimators import GAMMA, LAMBDA

G, GL, REST = np.float32(GAMMA), np.float32(GAMMA * LAMBDA), np.float32(GAMMA * (1 - LAMBDA))
loop = numba.njit(parallel=True, fastmath=True)


@loop
def gae(reward, value, terminated, last_value, advantage, target):
    for n in prange(reward.shape[0]):
        carry, after = np.float32(0), last_value[n]
        for t in range(reward.shape[1] - 1, -1, -1):
            alive = np.float32(1) - terminated[n, t]
            delta = reward[n, t] + G * alive * after - value[n, t]
            carry = delta + GL * alive * carry
            after = value[n, t]
            advantage[n, t] = carry
            target[n, t] = carry + after


@loop
def vtrace(target_logp, behavior_logp, value, reward, terminated, last_value, target,
            advantage):
    for n in prange(reward.shape[0]):
        carry, after, after_target = np.float32(0), last_value[n], last_value[n]
        for t in range(reward.shape[1] - 1, -1, -1):
            clipped = min(np.float32(1), np.exp(target_logp[n, t] - behavior_logp[n, t]))
            discount = G * (np.float32(1) - terminated[n, t])
            delta = clipped * (reward[n, t] + discount * after - value[n, t])
            carry = delta + discount * clipped * carry
            advantage[n, t] = clipped * (reward[n, t] + discount * after_target - value[n, t])
            after = value[n, t]
            after_target = after + carry
            target[n, t] = after_target


@loop
def td_lambda(reward, next_value, terminated, last_value, target):
    for n in prange(reward.shape[0]):
        carry = last_value[n]
        for t in range(reward.shape[1] - 1, -1, -1):
            alive = np.float32(1) - terminated[n, t]
            carry = reward[n, t] + alive * (REST * next_value[n, t]
                                            + GL * carry)
            target[n, t] = carry


@loop
def discounted_return(reward, terminated, last_value, target):
    for n in prange(reward.shape[0]):
        carry = last_value[n]
        for t in range(reward.shape[1] - 1, -1, -1):
            carry = reward[n, t] + G * (np.float32(1) - terminated[n, t]) * carry
            target[n, t] = carry


@loop
def eligibility_trace(x, done, seed, trace):
    for n in prange(x.shape[0]):
        carry = seed[n]
        for t in range(x.shape[1]):
            carry = x[n, t] + GL * carry
            trace[n, t] = carry
            carry *= np.float32(1) - done[n, t]


@loop
def episodic_prefix_sum(x, done, seed, total):
    for n in prange(x.shape[0]):
        carry = seed[n]
        for t in range(x.shape[1]):
            carry = x[n, t] + carry
            total[n, t] = carry
            carry *= np.float32(1) - done[n, t]
