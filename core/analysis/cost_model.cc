#include "core/analysis/cost_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace helix::analysis {
namespace {

constexpr std::array<const char*, 3> kNames = {"a", "b", "gamma"};
constexpr long double kSingular =
    1e-9L;  // a column that is this close to the others carries nothing of its own

using Columns = std::vector<int>;  // which of the three coefficients are fitted

std::array<double, 3> Terms(double prompt, double uncached) {
  return {1, uncached, QueryKeyPairs(prompt, uncached)};
}

long double Dot(const std::vector<long double>& x, const std::vector<long double>& y) {
  long double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// Rows divided by y, so that the right-hand side is 1 and the error relative; modified Gram-Schmidt, since
// the columns differ by seven orders of magnitude.
std::optional<std::array<double, 3>> Solve(const std::vector<CostPoint>& points, const Columns& columns) {
  std::vector<std::vector<long double>> q;
  std::vector<std::vector<long double>> r(columns.size(), std::vector<long double>(columns.size(), 0));
  std::vector<long double> right(points.size(), 1);
  std::vector<long double> projected;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::vector<long double> column;
    for (const CostPoint& point : points)
      column.push_back(static_cast<long double>(
                           Terms(point.prompt, point.uncached)[static_cast<std::size_t>(columns[k])]) /
                       point.ms);
    const long double before = std::sqrt(Dot(column, column));
    for (std::size_t j = 0; j < k; ++j) {
      r[j][k] = Dot(q[j], column);
      for (std::size_t i = 0; i < column.size(); ++i) column[i] -= r[j][k] * q[j][i];
    }
    r[k][k] = std::sqrt(Dot(column, column));
    if (!(r[k][k] > kSingular * before)) return std::nullopt;
    for (long double& value : column) value /= r[k][k];
    projected.push_back(Dot(column, right));
    for (std::size_t i = 0; i < right.size(); ++i) right[i] -= projected[k] * column[i];
    q.push_back(std::move(column));
  }
  std::array<double, 3> solution{};
  for (std::size_t k = columns.size(); k-- > 0;) {
    for (std::size_t j = k + 1; j < columns.size(); ++j)
      projected[k] -= r[k][j] * static_cast<long double>(solution[static_cast<std::size_t>(columns[j])]);
    solution[static_cast<std::size_t>(columns[k])] = static_cast<double>(projected[k] / r[k][k]);
  }
  return solution;
}

std::optional<CostModel> FitOnce(const std::vector<CostPoint>& points) {
  Columns columns = {0, 1, 2};
  CostModel model;
  while (!columns.empty()) {
    if (points.size() < columns.size()) return std::nullopt;
    const auto solution = Solve(points, columns);
    if (!solution) return std::nullopt;
    const auto worst = std::min_element(columns.begin(), columns.end(), [&](int x, int y) {
      return (*solution)[static_cast<std::size_t>(x)] < (*solution)[static_cast<std::size_t>(y)];
    });
    if ((*solution)[static_cast<std::size_t>(*worst)] >= 0) {
      model.a = (*solution)[0];
      model.b = (*solution)[1];
      model.gamma = (*solution)[2];
      return model;
    }
    model.not_identifiable.emplace_back(kNames[static_cast<std::size_t>(*worst)]);
    columns.erase(worst);
  }
  return std::nullopt;
}

double WorstError(const CostModel& model, const std::vector<CostPoint>& points) {
  double worst = 0;
  for (const CostPoint& point : points)
    worst = std::max(worst, std::fabs(model.Ms(point.prompt, point.uncached) - point.ms) / point.ms);
  return worst;
}

std::optional<double> LeaveOneLengthOut(const std::vector<CostPoint>& points) {
  std::set<double> lengths;
  for (const CostPoint& point : points) lengths.insert(point.prompt);
  if (lengths.size() < 3) return std::nullopt;
  double worst = 0;
  for (const double length : lengths) {
    std::vector<CostPoint> kept;
    std::vector<CostPoint> left_out;
    for (const CostPoint& point : points) (point.prompt == length ? left_out : kept).push_back(point);
    const auto model = FitOnce(kept);
    if (!model) return std::nullopt;
    worst = std::max(worst, WorstError(*model, left_out));
  }
  return worst;
}

bool Good(double value) {
  return std::isfinite(value) && value > 0;
}

}  // namespace

double QueryKeyPairs(double prompt, double uncached) {
  return uncached * (prompt - (uncached - 1) / 2);
}

double CostModel::Ms(double prompt, double uncached) const {
  return a + b * uncached + gamma * QueryKeyPairs(prompt, uncached);
}

Json CostModel::ToJson() const {
  return {{"form", "ms = a + b u + gamma u (n - (u - 1) / 2)"},
          {"a_ms", a},
          {"b_ms_per_token", b},
          {"gamma_ms_per_pair", gamma},
          {"not_identifiable", not_identifiable},
          {"max_relative_residual", max_relative_residual},
          {"leave_one_length_out", leave_one_out ? Json(*leave_one_out) : Json(nullptr)},
          {"origin", "derived: least squares of the relative error over the measured points"}};
}

std::optional<CostModel> FitCostModel(const std::vector<CostPoint>& points) {
  for (const CostPoint& point : points)
    if (!Good(point.prompt) || !Good(point.uncached) || !Good(point.ms) || point.uncached > point.prompt)
      return std::nullopt;
  auto model = FitOnce(points);
  if (!model) return std::nullopt;
  model->max_relative_residual = WorstError(*model, points);
  model->leave_one_out = LeaveOneLengthOut(points);
  return model;
}

}  // namespace helix::analysis
