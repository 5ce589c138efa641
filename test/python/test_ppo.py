"""The trainer of examples/torch: it learns, and computes what the loop computes."""

import importlib.util
import pathlib

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("gymnasium")


@pytest.fixture
def ppo():
    path = pathlib.Path(__file__).parents[2] / "examples" / "torch" / "ppo.py"
    spec = importlib.util.spec_from_file_location("ppo", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield module
    torch.set_num_threads(threads)


def test_advantages(ppo):
    trainer = ppo.Trainer(0, ppo.advantages_by_rlscan)
    for _ in range(3):
        trainer.collect()
        r = trainer.rollout
        r.truncated |= (torch.rand(r.truncated.shape) < 0.02) & ~r.terminated
        r.bootstrap.normal_()
        assert r.terminated.any() and r.truncated.any()
        for found, right in zip(ppo.advantages_by_rlscan(r), ppo.advantages_by_loop(r)):
            torch.testing.assert_close(found, right, rtol=1e-5, atol=1e-4)
        trainer.update()


def test_learns(ppo):
    """CartPole's solved score: 475 over 100 episodes."""
    trainer = ppo.Trainer(0, ppo.advantages_by_rlscan)
    assert trainer.train() and trainer.curve[-1][1] >= 475
