// The part of the DLPack ABI (dmlc/dlpack, unversioned tensors) that is read here.
#pragma once

#include <cstdint>

namespace pyattn::dlpack {

constexpr std::int32_t kCpu = 1;
enum TypeCode : std::uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kBFloat = 4, kComplex = 5, kBool = 6 };

struct Device { std::int32_t type, id; };
struct DataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct Tensor {
  void* data;
  Device device;
  std::int32_t ndim;
  DataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // elements; null when compact and row-major
  std::uint64_t byte_offset;
};
struct ManagedTensor {
  Tensor tensor;
  void* manager;
  void (*deleter)(ManagedTensor*);
};

}  // namespace pyattn::dlpack
