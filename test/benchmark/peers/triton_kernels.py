"""The kernels of triton_scan.py; imports Triton.

One program a row, the steps of a row one block: alpha and beta in float32, then
tl.associative_scan. Backward recurrences load their steps from the last to the first,
so that every scan runs forward. Places past the row's end come last and reach nothing.
"""

import triton
import triton.language as tl


@triton.jit
def compose(alpha_first, beta_first, alpha_second, beta_second):
    return alpha_second + beta_second * alpha_first, beta_first * beta_second


@triton.jit
def real(pointer, at, mask):
    return tl.load(pointer + at, mask=mask, other=0.0).to(tl.float32)


@triton.jit
def flag(pointer, at, mask):
    return tl.load(pointer + at, mask=mask, other=0).to(tl.float32)


@triton.jit
def next_value(values, bootstrap, last, at, place, cut, inside, TRUNCATION: tl.constexpr):
    """Of the step at `at`: the next in the row, the last value after the row."""
    after = tl.where(place == 0, last, real(values, at + 1, inside & (place > 0)))
    if TRUNCATION:
        after = tl.where(cut != 0, real(bootstrap, at, inside), after)
    return after


@triton.jit
def gae(reward, value, terminated, truncated, bootstrap, last_value, advantage, target,
        steps, gamma, lam, TRUNCATION: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    place = tl.arange(0, BLOCK)
    inside, at = place < steps, row * steps + steps - 1 - place
    ended = flag(terminated, at, inside)
    cut = flag(truncated, at, inside) if TRUNCATION else ended
    last = tl.load(last_value + row).to(tl.float32)
    after = next_value(value, bootstrap, last, at, place, cut, inside, TRUNCATION)
    here = real(value, at, inside)
    delta = real(reward, at, inside) + gamma * (1 - ended) * after - here
    alive = (1 - ended) * (1 - cut)
    found, _ = tl.associative_scan((delta, gamma * lam * alive), 0, compose)
    tl.store(advantage + at, found, mask=inside)
    tl.store(target + at, found + here, mask=inside)


@triton.jit
def vtrace(target_logp, behavior_logp, value, reward, terminated, truncated, bootstrap,
           last_value, target, advantage, steps, gamma, lam, TRUNCATION: tl.constexpr,
           BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    place = tl.arange(0, BLOCK)
    inside, at = place < steps, row * steps + steps - 1 - place
    ended = flag(terminated, at, inside)
    cut = flag(truncated, at, inside) if TRUNCATION else ended
    last = tl.load(last_value + row).to(tl.float32)
    after = next_value(value, bootstrap, last, at, place, cut, inside, TRUNCATION)
    here, gained = real(value, at, inside), real(reward, at, inside)
    ratio = tl.exp(real(target_logp, at, inside) - real(behavior_logp, at, inside))
    clipped = tl.minimum(ratio, 1.0)
    discount = gamma * (1 - ended)
    delta = clipped * (gained + discount * after - here)
    alive = (1 - ended) * (1 - cut)
    found, _ = tl.associative_scan((delta, gamma * clipped * alive), 0, compose)
    tl.store(target + at, found + here, mask=inside)
    tl.debug_barrier()  # the next step's target is another thread's
    after = next_value(target, bootstrap, last, at, place, cut, inside, TRUNCATION)
    tl.store(advantage + at, clipped * (gained + discount * after - here), mask=inside)


@triton.jit
def clipped_ratio(target_prob, behavior_prob, action, at, mask, ACTIONS: tl.constexpr):
    taken = real(target_prob, at * ACTIONS + tl.load(action + at, mask=mask, other=0), mask)
    behavior = tl.load(behavior_prob + at, mask=mask, other=1.0).to(tl.float32)
    return tl.minimum(taken / behavior, 1.0)


@triton.jit
def retrace(target_prob, behavior_prob, q, next_q, action, reward, terminated, truncated,
            target, advantage, steps, gamma, lam, TRUNCATION: tl.constexpr,
            BLOCK: tl.constexpr, ACTIONS: tl.constexpr, ENTRIES: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    place = tl.arange(0, BLOCK)
    inside, at = place < steps, row * steps + steps - 1 - place
    ended = flag(terminated, at, inside)
    cut = flag(truncated, at, inside) if TRUNCATION else ended
    entry = tl.arange(0, ENTRIES)
    entries = at[:, None] * ACTIONS + entry[None, :]
    there = inside[:, None] & (entry < ACTIONS)[None, :]
    expected = tl.sum(real(target_prob, entries, there) * real(next_q, entries, there), 1)
    here, gained = real(q, at, inside), real(reward, at, inside)
    discount = gamma * (1 - ended)
    delta = gained + discount * expected - here
    later = inside & (place > 0)
    trace = clipped_ratio(target_prob, behavior_prob, action, at + 1, later, ACTIONS)
    alive = (1 - ended) * (1 - cut) * tl.where(place > 0, 1.0, 0.0)
    found, _ = tl.associative_scan((delta, gamma * trace * alive), 0, compose)
    tl.store(target + at, found + here, mask=inside)
    tl.debug_barrier()
    after = real(target, at + 1, later)
    clipped = clipped_ratio(target_prob, behavior_prob, action, at, inside, ACTIONS)
    tl.store(advantage + at, clipped * (gained + discount * after - here), mask=inside)


@triton.jit
def td_lambda(reward, next_values, terminated, truncated, bootstrap, last_value, target,
              steps, gamma, lam, TRUNCATION: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    place = tl.arange(0, BLOCK)
    inside, at = place < steps, row * steps + steps - 1 - place
    alive = 1 - flag(terminated, at, inside)
    after = (1 - lam) * real(next_values, at, inside)
    discount = gamma * alive
    if TRUNCATION:
        cut = flag(truncated, at, inside)
        after = tl.where(cut != 0, real(bootstrap, at, inside), after)
        alive = alive * (1 - cut)
    alpha = real(reward, at, inside) + discount * after
    found, through = tl.associative_scan((alpha, gamma * lam * alive), 0, compose)
    last = tl.load(last_value + row).to(tl.float32)
    tl.store(target + at, found + through * last, mask=inside)


@triton.jit
def discounted_return(reward, terminated, truncated, bootstrap, last_value, target, steps,
                      gamma, lam, TRUNCATION: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    place = tl.arange(0, BLOCK)
    inside, at = place < steps, row * steps + steps - 1 - place
    alive = 1 - flag(terminated, at, inside)
    alpha = real(reward, at, inside)
    if TRUNCATION:
        cut = flag(truncated, at, inside)
        alpha += gamma * alive * cut * real(bootstrap, at, inside)
        alive = alive * (1 - cut)
    found, through = tl.associative_scan((alpha, gamma * alive), 0, compose)
    last = tl.load(last_value + row).to(tl.float32)
    tl.store(target + at, found + through * last, mask=inside)


@triton.jit
def forward_sum(x, done, seed, result, steps, decay, BLOCK: tl.constexpr):
    """The trace, and with decay 1 the prefix sum: cut after a flagged step."""
    row = tl.program_id(0).to(tl.int64)
    place = tl.arange(0, BLOCK)
    inside, at = place < steps, row * steps + place
    before = flag(done, at - 1, inside & (place > 0))
    alpha, beta = real(x, at, inside), decay * (1 - before)
    found, through = tl.associative_scan((alpha, beta), 0, compose)
    first = tl.load(seed + row).to(tl.float32)
    tl.store(result + at, found + through * first, mask=inside)


@triton.jit
def stream(source, target, read_words, written_words, READS: tl.constexpr,
           WRITES: tl.constexpr, BLOCK: tl.constexpr):
    """The floor: READS words are read for WRITES that are written, and nothing else."""
    program = tl.program_id(0).to(tl.int64)
    word = tl.arange(0, BLOCK)
    first = program * READS * BLOCK
    fold = tl.load(source + first + word, mask=first + word < read_words, other=0)
    for i in tl.static_range(1, READS):
        at = first + i * BLOCK + word
        fold ^= tl.load(source + at, mask=at < read_words, other=0)
    for i in tl.static_range(WRITES):
        at = program * WRITES * BLOCK + i * BLOCK + word
        tl.store(target + at, fold, mask=at < written_words)
