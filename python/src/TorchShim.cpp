//===- TorchShim.cpp - PyTorch's stable C interface -----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TorchShim.h"

#include "rlscan/runtime.h"

#include <dlfcn.h>

using namespace rlscan::python::torch;

static Shim shim;

const Shim &Shim::get() { return shim; }

namespace {

/// A library that the process has loaded already.
class Loaded {
public:
  explicit Loaded(const std::string &path)
      : library(dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {}

  template <typename Function> void find(const char *name, Function &function) {
    function =
        reinterpret_cast<Function>(library ? dlsym(library, name) : nullptr);
    if (!function && missing.empty())
      missing = name;
  }

  /// What a function without arguments gives.
  int32_t constant(const std::string &name) {
    int32_t (*function)() = nullptr;
    find(name.c_str(), function);
    return function ? function() : -1;
  }

  std::string missing;

private:
  void *library;
};

} // namespace

std::string Shim::open(const std::string &folder) {
  Loaded torch(folder + "/libtorch_cpu.so");
  torch.find("aoti_torch_library_init_fragment", shim.newFragment);
  torch.find("aoti_torch_library_init_impl", shim.newImplementation);
  torch.find("aoti_torch_library_def", shim.define);
  torch.find("aoti_torch_library_impl", shim.implement);
  torch.find("aoti_torch_delete_tensor_object", shim.deleteTensor);
  torch.find("aoti_torch_get_data_ptr", shim.dataOf);
  torch.find("aoti_torch_get_dim", shim.rankOf);
  torch.find("aoti_torch_get_sizes", shim.sizesOf);
  torch.find("aoti_torch_get_strides", shim.stridesOf);
  torch.find("aoti_torch_get_dtype", shim.dtypeOf);
  torch.find("aoti_torch_get_device_type", shim.deviceTypeOf);
  torch.find("aoti_torch_get_device_index", shim.deviceIndexOf);
  torch.find("aoti_torch_empty_strided", shim.emptyStrided);
  torch.find("aoti_torch_zero_", shim.zero);
  const char *names[] = {"",     "float32", "float64", "bfloat16", "float16",
                         "bool", "int8",    "uint8",   "int32",    "int64"};
  for (int i = RLSCAN_F32; i <= RLSCAN_I64; ++i)
    shim.dtypes[i] =
        torch.constant(std::string("aoti_torch_dtype_") + names[i]);
  shim.cpu = torch.constant("aoti_torch_device_type_cpu");
  shim.cuda = torch.constant("aoti_torch_device_type_cuda");
  Loaded cuda(folder + "/libtorch_cuda.so");
  cuda.find("aoti_torch_get_current_cuda_stream", shim.currentStream);
  Loaded python(folder + "/libtorch_python.so");
  if (torch.missing.empty()) // who wraps needs the others
    python.find("_Z16THPVariable_WrapRKN2at10TensorBaseE", shim.wrap);
  return torch.missing;
}
