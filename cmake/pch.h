// Headers that nearly every file reads; precompiled once per target because the JSON header alone costs
// seconds.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "core/base/json_type.h"
