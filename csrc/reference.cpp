#include "reference.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "visibility.h"

namespace pyattn {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double half_to_double(std::uint16_t h) {
  const double sign = h & 0x8000 ? -1 : 1;
  const int exponent = h >> 10 & 31, fraction = h & 1023;
  if (exponent == 31) return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * kInf;
  return exponent ? sign * std::ldexp(1024 + fraction, exponent - 25) : sign * std::ldexp(fraction, -24);
}

struct Place {
  std::int64_t item, head, query, key_head;
  std::int64_t first_query, first_key;  // of a packed sequence
};

class Reference {
 public:
  explicit Reference(const AttentionArgs& args) : args_(args) {}

  // Results are written as double: out, lse and weights must be float64.
  void attend(const Place& p, std::int64_t queries, std::int64_t keys) const {
    std::vector<double> scores(std::size_t(keys), 0.0);
    std::vector<bool> sees(std::size_t(keys), true);
    const KeyInterval interval = interval_of(args_.mask, p.item, queries, keys);
    for (std::int64_t j = 0; j < keys; ++j) score(p, j, interval, scores, sees);

    double max = args_.sinks ? args_.sinks[p.head] : -kInf;
    for (std::int64_t j = 0; j < keys; ++j)
      if (sees[std::size_t(j)] && scores[std::size_t(j)] > max) max = scores[std::size_t(j)];
    double sum = args_.sinks ? std::exp(args_.sinks[p.head] - max) : 0;
    bool any = args_.sinks != nullptr;
    for (std::int64_t j = 0; j < keys; ++j) {
      double& s = scores[std::size_t(j)];
      if (!sees[std::size_t(j)]) {
        s = 0;
        continue;
      }
      any = true;
      sum += s = std::exp(s - max);
    }
    finish(p, keys, scores, sees, any, max, sum);
  }

 private:
  const char* element(const TensorView& v, const Place& p, std::int64_t head, std::int64_t row,
                      std::int64_t column) const {
    const char* at = v.data + head * v.head_stride + row * v.row_stride + column * v.column_stride;
    std::int64_t item = p.item;
    for (int axis = args_.leading_rank - 1; axis >= 0; --axis) {
      at += item % args_.leading[axis] * v.leading_stride[axis];
      item /= args_.leading[axis];
    }
    return at;
  }

  void score(const Place& p, std::int64_t j, const KeyInterval& m, std::vector<double>& scores,
             std::vector<bool>& sees) const {
    double s = 0;
    for (std::int64_t d = 0; d < args_.width; ++d) {
      const double q = read_element(element(args_.query, p, p.head, p.first_query + p.query, d), args_.query.dtype);
      const double k = read_element(element(args_.key, p, p.key_head, p.first_key + j, d), args_.key.dtype);
      s += args_.score_weight ? args_.score_weight[d] * std::tanh(q + k) : args_.scale * q * k;
    }
    if (args_.softcap != 0) s = args_.softcap * std::tanh(s / args_.softcap);
    bool seen = true;
    for (int i = 0; i < args_.biases; ++i) {
      const double b = read_element(element(args_.bias[i], p, p.head, p.query, j), args_.bias[i].dtype);
      seen = seen && b != -kInf;
      s += b;
    }
    if (args_.slopes) s -= args_.slopes[p.head] * std::fabs(double(p.query + m.offset - j));
    const std::int64_t at = p.query + m.offset;
    if (args_.mask.structured)
      seen = seen && p.query < m.query_length && j < m.key_length && at - m.left <= j && j <= at + m.right;
    for (int i = 0; i < args_.mask.keeps; ++i) seen = seen && *element(args_.mask.keep[i], p, p.head, p.query, j);
    scores[std::size_t(j)] = s;
    sees[std::size_t(j)] = seen;
  }

  void finish(const Place& p, std::int64_t keys, const std::vector<double>& weights, const std::vector<bool>& sees,
              bool any, double max, double sum) const {
    const std::int64_t row = p.first_query + p.query;
    for (std::int64_t d = 0; d < args_.value_width; ++d) {
      double total = 0;
      for (std::int64_t j = 0; j < keys; ++j)
        if (sees[std::size_t(j)])
          total += weights[std::size_t(j)] *
                   read_element(element(args_.value, p, p.key_head, p.first_key + j, d), args_.value.dtype);
      write(args_.out, p, row, d, any ? total / sum : 0);
    }
    if (args_.has_lse) write(args_.lse, p, row, 0, any && max != -kInf ? max + std::log(sum) : -kInf);
    for (std::int64_t j = 0; args_.has_weights && j < keys; ++j)
      write(args_.weights, p, row, j, sees[std::size_t(j)] ? weights[std::size_t(j)] / sum : 0);
  }

  void write(const TensorView& v, const Place& p, std::int64_t row, std::int64_t column, double x) const {
    std::memcpy(const_cast<char*>(element(v, p, p.head, row, column)), &x, sizeof x);
  }

  const AttentionArgs& args_;
};

}  // namespace

double read_element(const char* at, DType dtype) {
  switch (dtype) {
    case DType::kFloat64: {
      double x;
      std::memcpy(&x, at, 8);
      return x;
    }
    case DType::kFloat32: {
      float x;
      std::memcpy(&x, at, 4);
      return double(x);
    }
    case DType::kFloat16: {
      std::uint16_t x;
      std::memcpy(&x, at, 2);
      return half_to_double(x);
    }
    case DType::kBFloat16: {
      std::uint16_t x;
      std::memcpy(&x, at, 2);
      const std::uint32_t bits = std::uint32_t(x) << 16;
      float f;
      std::memcpy(&f, &bits, 4);
      return double(f);
    }
  }
  return 0;
}

void reference_attention(const AttentionArgs& args) {
  const Reference reference(args);
  const std::int64_t group = args.heads / args.kv_heads;
  for (std::int64_t b = 0; b < args.batch; ++b) {
    const std::int64_t first_query = args.query_offsets ? args.query_offsets[b] : 0;
    const std::int64_t first_key = args.key_offsets ? args.key_offsets[b] : 0;
    const std::int64_t queries = args.query_offsets ? args.query_offsets[b + 1] - first_query : args.queries;
    const std::int64_t keys = args.key_offsets ? args.key_offsets[b + 1] - first_key : args.keys;
    for (std::int64_t h = 0; h < args.heads; ++h)
      for (std::int64_t i = 0; i < queries; ++i)
        reference.attend({b, h, i, h / group, first_query, first_key}, queries, keys);
  }
}

}  // namespace pyattn
