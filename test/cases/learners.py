"""Recorders of what lies inside of learners: their methods, and a loop of a script.

Installed with pip's --no-deps: cleanrl, dreamerv3, mushroom-rl, recurrentgemma,
sample-factory, skyrl, trl 1.11 and verl.
"""

import ast
import importlib.util
import pathlib
import types
import unittest.mock

import numpy as np
from recording import (
    A, GAMMA, LAMBDA, N, T, add, flags, normal, random, tensors, weight_of)
from stand_in import StandIn, load

BOTH = {"gamma": GAMMA, "lambda": LAMBDA}


def record_sample_factory(steps):
    """What its learner does before it learns; it values the step's own state where that is cut."""
    import torch
    learner = load("sample_factory", "algo.learning.learner", (
        "sample_factory.algo.utils.rl_utils", "sample_factory.algo.utils.tensor_dict",
        "sample_factory.utils.dicts"))
    reward, value, last = normal(N, steps), normal(N, steps), normal(N)
    terminated, truncated, valid = flags(steps=steps), flags(steps=steps), ~flags(steps=steps)
    truncated &= ~terminated
    cfg = types.SimpleNamespace(gamma=GAMMA, gae_lambda=LAMBDA, max_policy_lag=1, with_vtrace=False,
                                normalize_returns=False, value_bootstrap=True)
    own = StandIn(policy_id=0, train_step=0, cfg=cfg)
    own.actor_critic = lambda obs, states, values_only: {"values": torch.tensor(last)}
    own.actor_critic.training = True
    own._prepare_and_normalize_obs = lambda obs: obs
    padded = torch.zeros(N, steps + 1)
    names = {"rewards": reward, "policy_id": 1 * ~valid, "policy_version": 0 * valid,
             "dones": terminated | truncated, "time_outs": truncated, "actions": reward,
             "log_prob_actions": reward, "values": np.append(value, last[:, None], axis=1)}
    batch = {key: torch.tensor(x) for key, x in names.items()}
    batch.update(valids=padded.bool(), obs=padded, rnn_states=padded)
    found, _, _ = learner.Learner._prepare_batch(own, batch)
    add("sample-factory", "Learner", "gae_validity", BOTH,
        {"reward": reward, "value": value, "terminated": terminated, "truncated": truncated,
         "bootstrap": value, "valid": valid, "last_value": last, "last_valid": valid[:, -1]},
        advantage=found["advantages"].reshape(N, steps), target=found["returns"].reshape(N, steps))


def record_tokens(steps):
    """Functions over the tokens of responses."""
    utils = load("skyrl", "backends.skyrl_train.utils.ppo_utils")
    utils.masked_whiten = lambda x, mask: x
    reward, value, mask = normal(N, steps), normal(N, steps), ~flags(0.4, steps)
    function = "compute_reinforce_plus_plus_outcome_advantage"
    _, returns = getattr(utils, function)(*tensors(reward, 1.0 * mask), GAMMA)
    add("skyrl", function, "reinforce_plus_plus", {"gamma": GAMMA},
        {"reward": reward, "mask": mask}, target=np.where(mask, returns, 0))

    core_algos = load("verl", "trainer.ppo.core_algos")
    core_algos.verl_F.masked_whiten = lambda x, mask: x
    # Once for each lambda.
    function = "compute_gae_advantage_return"
    found = [getattr(core_algos, function)(*tensors(reward, value, 1 * mask), GAMMA, lam)
             for lam in (LAMBDA, 0.5)]
    add("verl", function, "decoupled_gae",
        {"gamma": GAMMA, "lambda_policy": LAMBDA, "lambda_value": 0.5},
        {"reward": reward, "value": value, "mask": mask},
        advantage=np.where(mask, found[0][0], 0), target=np.where(mask, found[1][1], 0))


def record_trl(steps):
    import torch
    minillm = load("trl", "experimental.minillm.minillm_trainer")
    student, teacher = -abs(normal(N, steps)) / 4, -abs(normal(N, steps)) / 4
    mask = ~flags(0.4, steps)
    for gamma, mean in ((GAMMA, True), (GAMMA, False), (1.0, True)):
        trainer = types.SimpleNamespace(gamma=gamma, length_normalization=mean)
        found = minillm.MiniLLMTrainer._compute_advantage(
            trainer, *tensors(student, teacher, mask))
        add("trl", "MiniLLMTrainer", "minillm_return",
            {"gamma": gamma, "length_normalization": mean},
            {"reward": teacher - student, "mask": mask}, advantage=found)

    iw_opd = load("trl", "experimental.iw_opd.iw_opd_trainer")
    trainer = types.SimpleNamespace(temperature=1.0, iw_opd_gamma=0.625, iw_opd_epsilon=1e-8,
                                    model=types.SimpleNamespace(training=True),
                                    _metrics=unittest.mock.MagicMock())
    token = random.integers(0, A, (N, steps))
    logits, tokens = tensors(normal(N, steps, A) / 4, token)
    logits.requires_grad_()
    labels = torch.where(*tensors(mask), tokens, -100)
    loss = iw_opd.IWOPDTrainer._compute_iw_opd_loss(
        trainer, logits, tokens, labels, *tensors(teacher, student), num_items_in_batch=1)
    add("trl", "IWOPDTrainer", "iw_opd", {"gamma": 0.625},
        {"teacher_logp": teacher, "behavior_logp": student, "mask": mask},
        advantage=weight_of(logits, token, loss))


def record_cleanrl(steps):
    """The loop of its script: from it to the weighted sum of the two."""
    import torch
    path = pathlib.Path(importlib.util.find_spec("cleanrl").origin or
                        importlib.util.find_spec("cleanrl").submodule_search_locations[0])
    path = (path if path.is_dir() else path.parent) / "ppo_rnd_envpool.py"
    update = next(node for node in ast.walk(ast.parse(path.read_text()))
                  if isinstance(node, ast.For) and ast.unparse(node.target) == "update")
    lines = [ast.unparse(node) for node in update.body]
    first = next(k for k, line in enumerate(lines) if "int_lastgaelam" in line)
    last = next(k for k, line in enumerate(lines) if line.startswith("b_advantages ="))

    reward, value, curiosity, surprise = (normal(N, steps) for _ in range(4))
    end, curious_end, terminated = normal(N), normal(N), flags(steps=steps)
    started = np.append(flags(steps=1), terminated[:, :-1], axis=1)
    names = {"torch": torch, "device": "cpu", "next_obs": None, "args": types.SimpleNamespace(
        num_steps=steps, gamma=GAMMA, int_gamma=0.75, gae_lambda=LAMBDA, ext_coef=1.75,
        int_coef=0.5), "agent": StandIn(), "envs": StandIn()}
    names["agent"].get_value = lambda obs: tensors(end, curious_end)
    names["envs"].single_observation_space.shape = names["envs"].single_action_space.shape = ()
    for name, array in {"rewards": reward, "ext_values": value, "curiosity_rewards": surprise,
                        "int_values": curiosity, "dones": 1.0 * started, "obs": reward,
                        "logprobs": reward, "actions": reward}.items():
        names[name] = tensors(array.T)[0]
    names["next_done"] = tensors(1.0 * terminated[:, -1])[0]
    exec("\n".join(lines[first:last + 1]), names)
    add("cleanrl", "ppo_rnd_envpool.py", "rnd_gae",
        {"gamma": GAMMA, "intrinsic_gamma": 0.75, "lambda": LAMBDA, "weight": 1.75,
         "intrinsic_weight": 0.5},
        {"reward": reward, "value": value, "intrinsic_reward": surprise,
         "intrinsic_value": curiosity, "terminated": terminated, "last_value": end,
         "intrinsic_last_value": curious_end},
        advantage=names["b_advantages"].reshape(steps, N).T, target=names["ext_returns"].T,
        intrinsic_target=names["int_returns"].T)


def record_dreamer(steps):
    import jax.numpy as jnp
    agent = load("dreamerv3", "agent", ("dreamerv3.jaxutils",))
    reward, value, terminated = normal(N, steps), normal(N, steps), flags(steps=steps)
    config = types.SimpleNamespace(horizon=8, return_lambda=LAMBDA, imag_unroll=True)
    if steps > 1:
        critic = types.SimpleNamespace(
            config=config, rewfn=lambda trajectory: reward.T[1:],
            net=lambda trajectory: types.SimpleNamespace(mean=lambda: value.T))
        trajectory = {"action": np.zeros(steps), "cont": 1.0 * ~terminated.T}
        _, found, _ = agent.VFunction.score(critic, trajectory)
        add("dreamerv3", "VFunction.score", "dreamer_lambda_return", BOTH,
            {"reward": reward, "value": value, "terminated": terminated},
            target=np.append(found.T, value[:, -1:], axis=1))
    continues = random.integers(0, 33, (N, steps)) / 32
    model = types.SimpleNamespace(
        config=config, heads={"cont": lambda trajectory: types.SimpleNamespace(
            mode=lambda: jnp.asarray(continues.T))},
        rssm=types.SimpleNamespace(initial=lambda n: {"state": None},
                                   img_step=lambda previous, action: {"state": previous["state"]}))
    start = {"state": jnp.zeros(N), "is_terminal": jnp.asarray(1 - continues[:, 0])}
    found = agent.WorldModel.imagine(model, lambda state: jnp.zeros(N), start, max(steps - 1, 1))
    weight = found["weight"].T[:, :steps]
    add("dreamerv3", "WorldModel.imagine", "dreamer_weight", {"gamma": GAMMA},
        {"continues": continues}, weight=weight)
MUSHROOM = tuple(f"mushroom_rl.{at}" for at in (
    "core", "core.agent", "core.serialization", "algorithms.value.td", "algorithms.value.td.*",
    "approximators", "approximators.*", "features", "features.features", "utils.eligibility_trace",
    "utils.parameters", "utils.table"))


def record_traces(steps):
    """Each weight of the first action, or each state, is a row; there are no rewards."""
    sarsa, linear, online = (load("mushroom_rl", f"algorithms.value.td.{name}", MUSHROOM) for name
                             in ("sarsa_lambda", "sarsa_lambda_continuous",
                                 "true_online_sarsa_lambda"))
    mdp = types.SimpleNamespace(gamma=GAMMA, size=(N, 1),
                                action_space=types.SimpleNamespace(n=2))
    policy = unittest.mock.MagicMock()
    policy.draw_action.return_value = np.array([0])
    done = np.tile(flags(steps=steps)[1], (N, 1))
    weights = {"input_shape": (N,), "output_shape": (2,), "n_actions": 2}

    def traces(agent, states, of=lambda agent: agent.e):
        found, starts = [], True
        for t, state in enumerate(states):
            if starts:
                agent.episode_start()
            agent._update(state, np.array([0]), 0.0, state, False)
            found.append(np.ravel(of(agent))[:N].copy())
            starts = done[0, t]
        return np.stack(found, axis=1)

    x = normal(N, steps)
    alpha = lambda *at: 0.25  # noqa: E731
    agent = linear.SARSALambdaContinuous(
        mdp, policy, load("mushroom_rl", "approximators.parametric.linear", MUSHROOM)
        .LinearApproximator, alpha, LAMBDA, lambda state: state, weights)
    add("mushroom-rl", "SARSALambdaContinuous", "eligibility_trace", BOTH,
        {"x": x, "done": done}, trace=traces(agent, x.T))

    active = random.integers(0, N, steps)
    once = np.arange(N)[:, None] == active
    agent = sarsa.SARSALambda(mdp, policy, alpha, LAMBDA, "replacing")
    seen, update = [], agent.e.update
    agent.e.update = lambda *at: (update(*at), seen.append(agent.e.table.ravel().copy()))
    traces(agent, [np.array([state]) for state in active], lambda agent: agent.e.table)
    add("mushroom-rl", "SARSALambda", "replacing_trace", BOTH,
        {"feature": 1.0 * once, "done": done}, trace=np.stack(seen, axis=1))

    feature = np.where(once, normal(N, steps) / 2, 0)
    agent = online.TrueOnlineSARSALambda(mdp, policy, alpha, LAMBDA, lambda state: state, weights)
    add("mushroom-rl", "TrueOnlineSARSALambda", "dutch_trace", {**BOTH, "step_size": 0.25},
        {"feature": feature, "done": done}, trace=traces(agent, feature.T))


def record_scans(steps):
    scan = load("recurrentgemma", "jax.scan", (
        "recurrentgemma", "recurrentgemma.common", "recurrentgemma.jax.complex_lib",
        "recurrentgemma.jax.pallas"))
    scan.complex_lib.Complex = type("Complex", (), {})  # a class of Flax, and none is given
    alpha, beta, init = normal(N, steps), random.integers(-40, 41, (N, steps)) / 32, normal(N)
    beta *= random.random((N, steps)) > 0.2
    for name, reverse in (("forward", False), ("backward", True)):
        found, _ = scan.linear_scan(alpha[..., None], beta[..., None], init[:, None],
                                    reverse=reverse, acc_float_dtype=np.float64)
        add("recurrentgemma", "linear_scan", f"linear_scan_{name}", {},
            {"alpha": alpha, "beta": beta, "init": init}, state=np.asarray(found)[..., 0])


def record():
    for steps in (T, 1):
        for ask in (record_sample_factory, record_tokens, record_trl, record_cleanrl,
                    record_dreamer, record_traces, record_scans):
            ask(steps)
