// Textures: pictures decoded, and sampled where their pixels lie.
#include "limber/render/texture.h"

#include <gtest/gtest.h>

#include "limber/render/surface_paint.h"
#include "mesh/textured_files.h"

namespace limber {
namespace {

TEST(Texture, PixelsLieWhereTheirCentresAre) {
  const auto image = surface_image(four_pixels_png());
  ASSERT_TRUE(image);
  const auto texture = Texture::decode(*image);
  ASSERT_TRUE(texture);
  EXPECT_EQ(texture->width() * texture->height(), 4);
  // At a pixel's centre the picture has that pixel's colour alone; beyond 0..1 it repeats.
  const Eigen::Vector3f corner = texture->at(0.5F / texture->width(), 1 - 0.5F / texture->height());
  EXPECT_LT(
      (texture->at(0.5F / texture->width() + 3, 5 - 0.5F / texture->height()) - corner).norm(),
      1e-5F);
  for (int c = 0; c < 3; ++c) {
    EXPECT_GE(corner[c], 0);
    EXPECT_LE(corner[c], 1);
  }
}

TEST(Texture, DamagedPicturesAreNone) {
  const std::string png = four_pixels_png();
  EXPECT_FALSE(Texture::decode({png.substr(0, png.size() / 2), "image/png"}));
  EXPECT_FALSE(Texture::decode({"\xFF\xD8\xFF and no more", "image/jpeg"}));
  EXPECT_FALSE(Texture::decode({"anything", "image/webp"}));
}

TEST(SurfacePaint, ColourTimesPicture) {
  TriMesh triangle;
  triangle.V = Positions::Identity(3, 3);
  triangle.F.resize(1, 3);
  triangle.F << 0, 1, 2;
  triangle.face_materials = {0};
  triangle.material_names = {"red"};
  EXPECT_FALSE(SurfacePaint::of(triangle));
  triangle.looks.resize(1);
  triangle.looks[0].colour = {0.5F, 0.25F, 0};
  EXPECT_EQ(SurfacePaint::of(triangle)->at(0, 0.3F, 0.3F), Eigen::Vector3f(0.5F, 0.25F, 0));
  triangle.looks[0].image = surface_image(four_pixels_png());
  triangle.uv.setConstant(3, 2, 0.25F);
  const auto texture = Texture::decode(*triangle.looks[0].image);
  EXPECT_LT((SurfacePaint::of(triangle)->at(0, 0.3F, 0.3F) -
             texture->at(0.25F, 0.25F).cwiseProduct(Eigen::Vector3f(0.5F, 0.25F, 0)))
                .norm(),
            1e-6F);
}

}  // namespace
}  // namespace limber
