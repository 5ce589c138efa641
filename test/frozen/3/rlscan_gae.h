/* rlscan_gae.h - made by rlscan-compile from gae.rls; do not edit.
   The guide is docs/linking.md of rlscan. */

#ifndef RLSCAN_GAE_H
#define RLSCAN_GAE_H

#include "rlscan/runtime.h"

#if RLSCAN_ABI_VERSION != 3
#error "made for another version of rlscan/runtime.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rlscan_gae_args {
  size_t size;            /* of the struct, from the INIT macro */
  int32_t device;         /* RLSCAN_DEVICE_AUTO, or where to run */
  int32_t reserved;
  void *workspace;        /* see rlscan_gae_workspace_size */
  size_t workspace_size;  /* in bytes */
  const rlscan_parallel *parallel; /* on the CPU; null: rlscan_threads */
  double gamma; /* default 0.99 */
  rlscan_tensor gamma_at; /* where it is instead, if it lies in memory */
  double lambda; /* default 0.95 */
  rlscan_tensor lambda_at; /* where it is instead, if it lies in memory */
  rlscan_tensor reward; /* [rows, steps], real */
  rlscan_tensor value; /* [rows, steps], real */
  rlscan_tensor terminated; /* [rows, steps], flag */
  rlscan_tensor truncated; /* [rows, steps], flag, optional */
  rlscan_tensor bootstrap; /* [rows, steps], real, optional */
  rlscan_tensor last_value; /* [rows], real, optional */
  rlscan_tensor advantage; /* [rows, steps], real, result */
  rlscan_tensor target; /* [rows, steps], real, result */
} rlscan_gae_args;

typedef char rlscan_gae_args_have_their_size[sizeof(rlscan_gae_args) == 696 ? 1 : -1];

#define RLSCAN_GAE_ARGS_INIT \
  {sizeof(rlscan_gae_args), RLSCAN_DEVICE_AUTO, 0, 0, 0, 0, \
   0.99, \
   RLSCAN_NO_TENSOR, \
   0.95, \
   RLSCAN_NO_TENSOR, \
   RLSCAN_NO_TENSOR, \
   RLSCAN_NO_TENSOR, \
   RLSCAN_NO_TENSOR, \
   RLSCAN_NO_TENSOR, \
   RLSCAN_NO_TENSOR, \
   RLSCAN_NO_TENSOR, \
   RLSCAN_NO_TENSOR, \
   RLSCAN_NO_TENSOR}

/* Loads all code for a GPU, or checks that there is some for the CPU
   (RLSCAN_DEVICE_CPU). Launches may then be captured. */
rlscan_status rlscan_gae_prepare(int32_t device);

/* Loads what a call like this one needs. */
rlscan_status rlscan_gae_prepare_for(const rlscan_gae_args *args, int32_t device);

/* Computes the results: on a GPU queued on the stream (a CUstream or
   hipStream_t), on the CPU done on return, with a null stream. */
rlscan_status rlscan_gae_launch(const rlscan_gae_args *args, void *stream);

/* The workspace with which the call is fastest; often 0. On a GPU it is zeroed
   once, and belongs to one stream at a time. */
rlscan_status rlscan_gae_workspace_size(const rlscan_gae_args *args, size_t *size);

/* Unloads the code from all GPUs; no launch may be under way. */
rlscan_status rlscan_gae_release(void);

#ifdef __cplusplus
}
#endif

#endif /* RLSCAN_GAE_H */
