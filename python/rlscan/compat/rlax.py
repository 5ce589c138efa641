"""rlax: sequences [T], values [T + 1]; jax.vmap for more than one.

Gradients are stopped always, as with stop_target_gradients=True there.
"""

import jax.numpy as jnp

import rlscan


def truncated_generalized_advantage_estimation(r_t, discount_t, lambda_, values,
                                               stop_target_gradients=True):
    """Advantages [T]; a discount is 0 where an episode ends."""
    delta = r_t + discount_t * values[1:] - values[:-1]
    return rlscan.jax.linear_scan_backward(delta, discount_t * lambda_)


def lambda_returns(r_t, discount_t, v_t, lambda_=1.0, stop_target_gradients=True):
    """Returns [T], of values of the next states."""
    lambda_ = jnp.ones_like(discount_t) * lambda_
    alpha = r_t + discount_t * (1 - lambda_) * v_t
    return rlscan.jax.linear_scan_backward(alpha, discount_t * lambda_, v_t[-1])


def discounted_returns(r_t, discount_t, v_t, stop_target_gradients=True):
    """Returns [T], continued by the last value."""
    v_t = jnp.ones_like(discount_t) * v_t
    return rlscan.jax.linear_scan_backward(r_t, discount_t, v_t[-1])
