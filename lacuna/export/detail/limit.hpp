// export/detail/limit.hpp -- a protobuf message holds at most 2 GB, and an ONNX file is one. What would be larger is
// refused before it is made.
#pragma once

namespace lacuna::onnx {

/// Throws Error(usage) when so many bytes do not fit; `because` ends the sentence.
void require_size(double bytes, const char* because = "");

}  // namespace lacuna::onnx
