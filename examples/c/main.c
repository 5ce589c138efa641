/* Advantages of a rollout in [T, N] memory: rewards as bf16, all else f32. The
   same code runs on a GPU: with pointers of its memory and a stream. */

#include "tr_gae.h"

#include <stdio.h>
#include <stdlib.h>

enum { T = 128, N = 64 };

/* The upper half of an f32. */
static uint16_t bf16(float value) {
  union {
    float number;
    uint32_t bits;
  } word;
  word.number = value;
  return (uint16_t)(word.bits >> 16);
}

static void fail(void) {
  fprintf(stderr, "%s\n", rlscan_last_error());
  exit(1);
}

int main(void) {
  static uint16_t reward[T * N];
  static float value[T * N], last_value[N], advantage[T * N], target[T * N];
  static uint8_t terminated[T * N];
  for (int i = 0; i < T * N; ++i) {
    reward[i] = bf16(1.0f);
    value[i] = 0.0f;
    terminated[i] = 0;
  }
  terminated[2 * N] = 1; /* row 0 ends at step 2 */

  tr_gae_args a = TR_GAE_ARGS_INIT;
  a.reward = rlscan_steps(reward, RLSCAN_BF16, N, T, /*strides*/ 1, N);
  a.value = rlscan_steps(value, RLSCAN_F32, N, T, 1, N);
  a.terminated = rlscan_steps(terminated, RLSCAN_BOOL, N, T, 1, N);
  a.last_value = rlscan_rows(last_value, RLSCAN_F32, N, 1);
  a.advantage = rlscan_steps(advantage, RLSCAN_F32, N, T, 1, N);
  a.target = rlscan_steps(target, RLSCAN_F32, N, T, 1, N);
  a.gamma = 0.5, a.lambda = 1.0;
  if (tr_gae_prepare(RLSCAN_DEVICE_CPU) || tr_gae_launch(&a, NULL))
    fail();
  printf("advantage of row 0:");
  for (int t = 0; t < 4; ++t)
    printf(" %g", advantage[t * N]);
  printf("\n");

  /* What is wrong is said before anything is written. */
  a.reward.sizes[1] = 512;
  if (tr_gae_launch(&a, NULL) == RLSCAN_INVALID_SHAPE)
    printf("%s\n", rlscan_last_error());
  return 0;
}
