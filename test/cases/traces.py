"""Eligibility traces, a row at a time; see formulas.py."""

import numpy as np


def off_policy_trace(x, rho, done, seed, gamma, lam):
    trace, z = np.zeros(len(x)), seed
    for t in range(len(x)):
        z = rho[t] * (gamma * lam * z + x[t])
        trace[t] = z
        if done[t]:
            z = 0.0
    return trace


def emphatic_trace(x, rho, interest, done, seed, seed_followon, gamma, lam):
    """ETD of rl-algorithms: F, M and e of each step; an episode starts with none."""
    trace, emphasis, followon = np.zeros(len(x)), np.zeros(len(x)), np.zeros(len(x))
    e, before = seed, seed_followon
    for t in range(len(x)):
        followon[t] = interest[t] + gamma * before
        emphasis[t] = lam * interest[t] + (1 - lam) * followon[t]
        e = rho[t] * (gamma * lam * e + emphasis[t] * x[t])
        trace[t] = e
        before = rho[t] * followon[t]
        if done[t]:
            e = before = 0.0
    return trace, emphasis, followon


def replacing_trace(feature, done, seed, gamma, lam):
    trace, z = np.zeros(len(feature)), seed
    for t in range(len(feature)):
        z = feature[t] if feature[t] != 0 else gamma * lam * z
        trace[t] = z
        if done[t]:
            z = 0.0
    return trace


def dutch_trace(feature, done, seed, gamma, lam, step_size):
    """e = gamma lambda e + a x - a gamma lambda (e . x) x, for the active entry of x."""
    trace, z = np.zeros(len(feature)), seed
    for t in range(len(feature)):
        x = feature[t]
        z = gamma * lam * z + step_size * x - step_size * gamma * lam * (z * x) * x
        trace[t] = z
        if done[t]:
            z = 0.0
    return trace
