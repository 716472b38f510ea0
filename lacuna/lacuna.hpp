// lacuna.hpp -- everything a program needs: kernel machines with leave-one-out cross-validation in closed form.
#pragma once

#include "lacuna/base/error.hpp"
#include "lacuna/base/observer.hpp"
#include "lacuna/choose/choose.hpp"
#include "lacuna/criterion/criterion.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/evaluate/evaluate.hpp"
#include "lacuna/explain/explain.hpp"
#include "lacuna/export/onnx.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/model.hpp"
#include "lacuna/model/predictor.hpp"
#include "lacuna/model/train.hpp"
#include "lacuna/read/table.hpp"
