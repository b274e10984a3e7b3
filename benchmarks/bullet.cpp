#include "bullet.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBody.h>
#include <BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

namespace limber {

namespace {

btVector3 vector(const Vec3& x) {
  return {static_cast<btScalar>(x.x()), static_cast<btScalar>(x.y()), static_cast<btScalar>(x.z())};
}

/// As Bullet's own createFromVtkFile() and readReducedDeformableInfoFromFiles(), without files.
btReducedDeformableBody* reduced_body(btSoftBodyWorldInfo& info, const ModalModel& model) {
  btAlignedObjectArray<btVector3> places;
  for (int i = 0; i < model.node_count(); ++i)
    places.push_back(vector(model.rest_positions().row(i).transpose()));
  auto* const body =
      new btReducedDeformableBody(&info, model.node_count(), &places[0], nullptr);  // its world's
  for (int t = 0; t < model.tet_count(); ++t) {
    const auto nodes = model.tets().row(t);
    body->appendTetra(nodes[0], nodes[1], nodes[2], nodes[3]);
    for (int a = 0; a < 4; ++a) {
      for (int b = a + 1; b < 4; ++b) body->appendLink(nodes[a], nodes[b], nullptr, true);
    }
  }
  btSoftBodyHelpers::generateBoundaryFaces(body);
  body->initializeDmInverse();
  body->m_tetraScratches.resize(body->m_tetras.size());
  body->m_tetraScratchesTn.resize(body->m_tetras.size());
  body->setReducedModes(model.mode_count(), model.node_count());
  btReducedDeformableBody::tDenseArray masses;
  for (int i = 0; i < model.node_count(); ++i)
    masses.push_back(static_cast<btScalar>(model.mass.row_sums[static_cast<std::size_t>(i)]));
  body->m_eigenvalues.resize(model.mode_count());
  body->m_Kr.resize(model.mode_count());
  body->m_modes.resize(model.mode_count());
  for (int k = 0; k < model.mode_count(); ++k) {
    body->m_eigenvalues[k] = body->m_Kr[k] = static_cast<btScalar>(model.eigenvalues()[k]);
    body->m_modes[k].resize(3 * model.node_count());
    for (int i = 0; i < 3 * model.node_count(); ++i)
      body->m_modes[k][i] = static_cast<btScalar>(model.Phi()(i, k));
  }
  body->setMassProps(masses);
  body->setInertiaProps();
  body->disableReducedModes(false);
  return body;
}

}  // namespace

std::string bullet_name() {
  return fmt::format("Bullet {}.{:02} (reduced body)", btGetVersion() / 100, btGetVersion() % 100);
}

struct BulletBody::Inside {
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btReducedDeformableBodySolver deformable;
  btDeformableMultiBodyConstraintSolver solver;
  std::unique_ptr<btDeformableMultiBodyDynamicsWorld> world;
  std::vector<std::unique_ptr<btBoxShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> boxes;
  btReducedDeformableBody* body = nullptr;  // deleted after it has left the world
};

BulletBody::BulletBody(const ModalModel& model, const std::vector<BulletBox>& boxes)
    : inside_(std::make_unique<Inside>()) {
  Inside& in = *inside_;
  // Settings of Bullet's own examples of reduced bodies.
  in.solver.setDeformableSolver(&in.deformable);
  in.world = std::make_unique<btDeformableMultiBodyDynamicsWorld>(
      &in.dispatcher, &in.broadphase, &in.solver, &in.configuration, &in.deformable);
  const btVector3 gravity(0, -9.81F, 0);
  in.world->setGravity(gravity);
  in.world->getWorldInfo().m_gravity = gravity;
  in.world->getWorldInfo().m_sparsesdf.setDefaultVoxelsz(0.25F);
  in.world->getWorldInfo().m_sparsesdf.Reset();
  in.world->getSolverInfo().m_deformable_erp = 0.2F;
  in.world->getSolverInfo().m_deformable_cfm = 0.2F;
  in.world->getSolverInfo().m_friction = 0.5F;
  in.world->getSolverInfo().m_deformable_maxErrorReduction = 0.2F;
  in.world->getSolverInfo().m_leastSquaresResidualThreshold = 1e-3F;
  in.world->getSolverInfo().m_splitImpulse = 0;
  in.world->getSolverInfo().m_numIterations = 10;
  for (const BulletBox& box : boxes) {
    in.shapes.push_back(std::make_unique<btBoxShape>(vector(box.edges / 2)));
    btTransform place;
    place.setIdentity();
    place.setOrigin(vector(box.middle));
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, in.shapes.back().get());
    info.m_startWorldTransform = place;
    info.m_friction = 0.5F;
    in.boxes.push_back(std::make_unique<btRigidBody>(info));
    in.world->addRigidBody(in.boxes.back().get());
  }
  in.body = reduced_body(in.world->getWorldInfo(), model);
  in.body->getCollisionShape()->setMargin(0.001F);
  in.body->m_cfg.kKHR = 1;
  in.body->m_cfg.kCHR = 1;
  in.body->m_cfg.kDF = 0.5F;
  in.body->m_cfg.collisions = btSoftBody::fCollision::SDF_RD | btSoftBody::fCollision::SDF_RDN;
  in.body->m_sleepingThreshold = 0;
  in.body->setDamping(0.5F, 2e-4F);
  btTransform stands;
  stands.setIdentity();
  in.body->transformTo(stands);
  in.world->addSoftBody(in.body);
}

BulletBody::~BulletBody() {
  inside_->world->removeSoftBody(inside_->body);
  delete inside_->body;
  for (const auto& box : inside_->boxes) inside_->world->removeRigidBody(box.get());
}

void BulletBody::step(double h) {
  inside_->world->stepSimulation(static_cast<btScalar>(h), 1, static_cast<btScalar>(h));
}

int BulletBody::contact_count() const { return inside_->body->m_nodeRigidContacts.size(); }

double BulletBody::height() const {
  btVector3 sum(0, 0, 0);
  for (int i = 0; i < inside_->body->m_nodes.size(); ++i) sum += inside_->body->m_nodes[i].m_x;
  return static_cast<double>(sum.y()) / inside_->body->m_nodes.size();
}

}  // namespace limber
