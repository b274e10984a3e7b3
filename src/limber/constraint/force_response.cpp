#include "limber/constraint/force_response.h"

namespace limber {

void ForceResponse::resize(Eigen::Index forces, Eigen::Index length) {
  G.setZero(forces, length);
  position.setZero(forces, length);
  velocity.setZero(forces, length);
}

void respond_at_once(const HandleSpace& space, const std::optional<RigidFrame>& rigid,
                     const Eigen::Ref<const ModeMatrix>& rows, Eigen::Ref<ModeMatrix> result) {
  const Eigen::Index modes = rows.cols() - space.first_mode();
  result.rightCols(modes) = rows.rightCols(modes);
  if (!rigid) return;
  result.leftCols<3>() = rows.leftCols<3>() / rigid->mass();
  result.middleCols<3>(3).noalias() = rows.middleCols<3>(3).lazyProduct(rigid->inverse_inertia());
}

void respond_over_step(const HandleSpace& space, const StepContext& step, Eigen::Index first,
                       bool impulse, ForceResponse& response) {
  const StepCoefficients& k = step.coefficients;
  auto position = response.position.middleRows<3>(first);
  auto velocity = response.velocity.middleRows<3>(first);
  respond_at_once(space, step.start.rigid, response.G.middleRows<3>(first), velocity);
  if (step.nonlinear != nullptr) {
    const Eigen::Index modes = k.qf.size();
    step.nonlinear->respond(impulse, position.rightCols(modes), velocity.rightCols(modes));
  } else {
    const Vector& to_q = impulse ? k.qv : k.qf;
    const Vector& to_v = impulse ? k.vv : k.vf;
    for (Eigen::Index row = 0; row < 3; ++row) {
      position.row(row).tail(to_q.size()) =
          velocity.row(row).tail(to_q.size()).cwiseProduct(to_q.transpose());
      velocity.row(row).tail(to_v.size()).array() *= to_v.transpose().array();
    }
  }
  if (!step.start.rigid) return;
  // A force's momentum enters before the last drift, an impulse's acts from the start on.
  const double duration = impulse ? 1 : step.h;
  position.leftCols<6>() = duration * (impulse ? step.h : step.drift) * velocity.leftCols<6>();
  velocity.leftCols<6>() *= duration;
}

void move_by(const StepContext& step, const ForceResponse& response, const Vector& forces,
             const Eigen::Array<bool, Eigen::Dynamic, 1>& impulses, const ModalState& free_end,
             ModalState& end) {
  end.q = free_end.q;
  const Eigen::Index modes = end.q.size();
  for (Eigen::Index i = 0; i < forces.size(); ++i) {
    if (forces[i] != 0) end.q += forces[i] * response.position.row(i).tail(modes).transpose();
  }
  if (!free_end.rigid) return;
  RigidFrame frame = *step.before_drift;
  Vec3 impulse = Vec3::Zero();
  Vec3 turning = Vec3::Zero();
  Vec3 way = Vec3::Zero();
  Vec3 turn = Vec3::Zero();
  for (Eigen::Index i = 0; i < forces.size(); ++i) {
    const double duration = impulses[i] ? 1 : step.h;
    impulse += duration * forces[i] * response.G.row(i).head<3>().transpose();
    turning += duration * forces[i] * response.G.row(i).segment<3>(3).transpose();
    if (!impulses[i]) continue;
    // The part of the step that has passed before the last drift.
    const double missed = (step.h - step.drift) / step.h * forces[i];
    way += missed * response.position.row(i).head<3>().transpose();
    turn += missed * response.position.row(i).segment<3>(3).transpose();
  }
  frame.push(impulse, turning);
  frame.shift(way, turn);
  frame.drift_to(step.drift);
  end.rigid = frame;
}

}  // namespace limber
