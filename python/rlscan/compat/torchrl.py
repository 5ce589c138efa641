"""TorchRL: the functional estimates of torchrl.objectives.value.functional.

Tensors are [*B, T, F] with time_dim=-2. The values of next states are an array of
their own and `done` and `terminated` may differ, so that the recurrence is built
from its coefficients, then computed by one scan. gamma and lmbda may be tensors.
"""

import torch

import rlscan


def _scan(alpha, beta, init, time_dim):
    alpha, beta = torch.broadcast_tensors(alpha, beta)
    return rlscan.linear_scan_backward(alpha, beta.to(alpha.dtype), init, time_dim=time_dim)


@torch.no_grad()
def generalized_advantage_estimate(gamma, lmbda, state_value, next_state_value, reward, done,
                                   terminated=None, *, time_dim=-2):
    """advantage, value_target."""
    terminated = done if terminated is None else terminated
    delta = reward + gamma * (~terminated) * next_state_value - state_value
    advantage = _scan(delta, gamma * lmbda * (~done), None, time_dim)
    return advantage, advantage + state_value


@torch.no_grad()
def td_lambda_return_estimate(gamma, lmbda, next_state_value, reward, done, terminated=None,
                              rolling_gamma=None, *, time_dim=-2):
    """The lambda-return; rolling_gamma=False, which is no recurrence, is refused."""
    if rolling_gamma is False:
        raise ValueError("rolling_gamma: False ties gamma to the first step of a return, "
                         "which is no affine recurrence; expected None or True")
    terminated = done if terminated is None else terminated
    value = (~terminated) * next_state_value
    alpha = reward + gamma * (1 - lmbda * (~done).to(value.dtype)) * value
    return _scan(alpha, gamma * lmbda * (~done), value.select(time_dim, -1), time_dim)


# The names of the vectorised twins, which have the same arguments.
vec_generalized_advantage_estimate = generalized_advantage_estimate
vec_td_lambda_return_estimate = td_lambda_return_estimate
