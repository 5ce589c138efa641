// The declarations of python/src beside the headers that they stand for.
// Compiled, not run.

#include <ATen/dlpack.h>
#include <cstddef>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <type_traits>
#include <xla/ffi/api/c_api.h>

#include "DLPack.h"
#include "TorchShim.h"
#include "XlaFfi.h"

using namespace rlscan::python;
namespace shim = rlscan::python::torch;

#define SAME_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs))
#define SAME_PLACE(ours, field, theirs, theirField)                            \
  static_assert(offsetof(ours, field) == offsetof(theirs, theirField) &&       \
                sizeof(ours::field) == sizeof(theirs::theirField))

// DLPack.
SAME_SIZE(dlpack::Tensor, DLTensor);
SAME_PLACE(dlpack::Tensor, device, DLTensor, device);
SAME_PLACE(dlpack::Tensor, dtype, DLTensor, dtype);
SAME_PLACE(dlpack::Tensor, strides, DLTensor, strides);
SAME_PLACE(dlpack::Tensor, byte_offset, DLTensor, byte_offset);
SAME_SIZE(dlpack::ManagedTensor, DLManagedTensor);
SAME_SIZE(dlpack::VersionedTensor, DLManagedTensorVersioned);
SAME_PLACE(dlpack::VersionedTensor, tensor, DLManagedTensorVersioned,
           dl_tensor);
SAME_SIZE(dlpack::ExchangeApi, DLPackExchangeAPI);
SAME_PLACE(dlpack::ExchangeApi, previous, DLPackExchangeAPI, header.prev_api);
SAME_PLACE(dlpack::ExchangeApi, allocate, DLPackExchangeAPI,
           managed_tensor_allocator);
SAME_PLACE(dlpack::ExchangeApi, toObject, DLPackExchangeAPI,
           managed_tensor_to_py_object_no_sync);
SAME_PLACE(dlpack::ExchangeApi, view, DLPackExchangeAPI,
           dltensor_from_py_object_no_sync);
SAME_PLACE(dlpack::ExchangeApi, currentStream, DLPackExchangeAPI,
           current_work_stream);
static_assert(int(dlpack::Cuda) == int(kDLCUDA) &&
              int(dlpack::CudaHost) == int(kDLCUDAHost) &&
              int(dlpack::Rocm) == int(kDLROCM));
static_assert(int(dlpack::Bfloat) == int(kDLBfloat) &&
              int(dlpack::Bool) == int(kDLBool));

// PyTorch: handles are pointers, values 64 bits, errors 32.
SAME_SIZE(shim::Value, StableIValue);
SAME_SIZE(shim::Error, AOTITorchError);
static_assert(std::is_same_v<decltype(aoti_torch_library_impl),
                             AOTITorchError(TorchLibraryHandle, const char *,
                                            shim::Kernel *)>);
static_assert(std::is_same_v<decltype(aoti_torch_library_def),
                             AOTITorchError(TorchLibraryHandle, const char *)>);
static_assert(std::is_same_v<decltype(aoti_torch_empty_strided),
                             AOTITorchError(int64_t, const int64_t *,
                                            const int64_t *, int32_t, int32_t,
                                            int32_t, AtenTensorHandle *)>);

// XLA.
SAME_SIZE(xla::Buffer, XLA_FFI_Buffer);
SAME_PLACE(xla::Buffer, dims, XLA_FFI_Buffer, dims);
SAME_SIZE(xla::Buffers, XLA_FFI_Args);
SAME_PLACE(xla::Buffers, buffers, XLA_FFI_Args, args);
SAME_PLACE(xla::Buffers, buffers, XLA_FFI_Rets, rets);
SAME_SIZE(xla::Attributes, XLA_FFI_Attrs);
SAME_PLACE(xla::Attributes, values, XLA_FFI_Attrs, attrs);
SAME_PLACE(xla::CallFrame, stage, XLA_FFI_CallFrame, stage);
SAME_PLACE(xla::CallFrame, arguments, XLA_FFI_CallFrame, args);
SAME_PLACE(xla::CallFrame, results, XLA_FFI_CallFrame, rets);
SAME_PLACE(xla::CallFrame, attributes, XLA_FFI_CallFrame, attrs);
SAME_PLACE(xla::Api, createError, XLA_FFI_Api, XLA_FFI_Error_Create);
SAME_PLACE(xla::Api, getMessage, XLA_FFI_Api, XLA_FFI_Error_GetMessage);
SAME_PLACE(xla::Api, destroyError, XLA_FFI_Api, XLA_FFI_Error_Destroy);
SAME_PLACE(xla::Api, getStream, XLA_FFI_Api, XLA_FFI_Stream_Get);
SAME_PLACE(xla::Api, allocate, XLA_FFI_Api, XLA_FFI_DeviceMemory_Allocate);
SAME_PLACE(xla::Api, free, XLA_FFI_Api, XLA_FFI_DeviceMemory_Free);
SAME_PLACE(xla::Api, getDeviceOrdinal, XLA_FFI_Api, XLA_FFI_DeviceOrdinal_Get);
SAME_SIZE(xla::StreamGet, XLA_FFI_Stream_Get_Args);
SAME_SIZE(xla::DeviceOrdinalGet, XLA_FFI_DeviceOrdinal_Get_Args);
SAME_SIZE(xla::MemoryAllocate, XLA_FFI_DeviceMemory_Allocate_Args);
SAME_SIZE(xla::MemoryFree, XLA_FFI_DeviceMemory_Free_Args);
SAME_SIZE(xla::ErrorCreate, XLA_FFI_Error_Create_Args);
SAME_SIZE(xla::ErrorMessage, XLA_FFI_Error_GetMessage_Args);
SAME_PLACE(xla::ErrorMessage, text, XLA_FFI_Error_GetMessage_Args, message);
SAME_SIZE(xla::ErrorDestroy, XLA_FFI_Error_Destroy_Args);
SAME_PLACE(xla::Metadata, traits, XLA_FFI_Metadata, traits);
static_assert(sizeof(xla::CallFrame) == XLA_FFI_CallFrame_STRUCT_SIZE &&
              sizeof(xla::Buffers) == XLA_FFI_Args_STRUCT_SIZE &&
              sizeof(xla::Buffers) == XLA_FFI_Rets_STRUCT_SIZE &&
              sizeof(xla::Attributes) == XLA_FFI_Attrs_STRUCT_SIZE &&
              sizeof(xla::Buffer) == XLA_FFI_Buffer_STRUCT_SIZE &&
              sizeof(xla::Api) == XLA_FFI_Api_STRUCT_SIZE &&
              sizeof(xla::MetadataExtension) ==
                  XLA_FFI_Metadata_Extension_STRUCT_SIZE);
static_assert(XLA_FFI_ExecutionStage_EXECUTE == 3 &&
              XLA_FFI_Extension_Metadata == 1);
static_assert(XLA_FFI_DataType_BF16 == 16 && XLA_FFI_DataType_PRED == 1 &&
              XLA_FFI_DataType_F64 == 12 && XLA_FFI_DataType_U8 == 6);
