"""What is kept with objects and scenes, so that it is saved, copied and undone as all of Blender's data."""

import bpy
from bpy.props import (BoolProperty, CollectionProperty, EnumProperty, FloatProperty, FloatVectorProperty,
                       IntProperty, PointerProperty, StringProperty)

from . import materials

ROLES = [
    ("NONE", "None", "Takes no part"),
    ("SOFT", "Soft", "An elastic body"),
    ("OBSTACLE", "Obstacle", "Hard: soft bodies bounce off it; it follows its own animation"),
]
METHODS = [
    ("modal-warping", "Modal warping", "Choi & Ko 2005: fast, bends and twists far"),
    ("rotation-strain", "Rotation strain", "Huang et al. 2011: modal, keeps volume better in large bends"),
    ("linear-modal", "Linear modal", "Small motions only; the fastest"),
    ("stiffness-warping", "Stiffness warping", "Müller et al. 2002: every node, slower"),
    ("corotational", "Corotational", "Every node, slower, more exact"),
]
MODAL_METHODS = ("modal-warping", "rotation-strain", "linear-modal")
RESULTS = [
    ("MESH_CACHE", "Mesh Cache", "A modifier that plays a .pc2 file beside the .blend"),
    ("SHAPE_KEYS", "Shape keys", "One a frame, inside the .blend: for short motions and other programs"),
]


def _preset_names():
    return [name for name, _, _ in materials.CHOICES]


def _get_preset(self):
    numbers = materials.Material(self.young, self.poisson, self.density, self.damping)
    return _preset_names().index(materials.preset_of(numbers))


def _set_preset(self, number):
    preset = materials.PRESETS.get(_preset_names()[number])
    if preset:
        self.young, self.poisson, self.density, self.damping = preset


class LimberPose(bpy.types.PropertyGroup):
    """A shape that a living motion passes, and when."""

    frame: IntProperty(name="Frame", description="When the motion passes this pose")
    shape_key: StringProperty(
        name="Shape key", description="Its shape; empty: the object as it is at that frame, armature and all")


class LimberObject(bpy.types.PropertyGroup):
    role: EnumProperty(name="Role", items=ROLES)
    preset: EnumProperty(name="Material", items=materials.CHOICES, get=_get_preset, set=_set_preset)
    young: FloatProperty(name="Stiffness", description="Young's modulus, Pa", default=materials.PRESETS["jelly"].young,
                         min=1, max=1e13, precision=0)
    poisson: FloatProperty(name="Poisson", description="Poisson's ratio: 0 cork, 0.49 rubber: how it thins when stretched",
                           default=materials.PRESETS["jelly"].poisson, min=0, max=0.495, precision=3)
    density: FloatProperty(name="Density", description="kg/m³", default=materials.PRESETS["jelly"].density,
                           min=1e-3, max=1e5)
    damping: FloatProperty(name="Damping", description="By stiffness, s: how soon vibrations end",
                           default=materials.PRESETS["jelly"].damping, min=0, max=10, precision=7)
    fixed_group: StringProperty(name="Pinned",
                                description="Vertices of this group (weight at least 0.5) stay with the object")
    stiff_group: StringProperty(
        name="Stiff", description="Weights of this group lead from the material's stiffness to the one below, evenly in the "
                                  "logarithm")
    stiff_young: FloatProperty(name="Stiffness", description="Young's modulus where the weight is 1, Pa", default=1e7, min=1,
                               max=1e13, precision=0)
    method: EnumProperty(name="Method", items=METHODS)
    modes: IntProperty(name="Modes", description="More show finer motions and take longer", default=20, min=1, max=500)
    cells: IntProperty(name="Cells", description="Of the mesh inside, along the longest side", default=16, min=2,
                       max=200)
    velocity: FloatVectorProperty(name="Velocity", description="At the first frame, m/s", subtype="VELOCITY")
    angular_velocity: FloatVectorProperty(name="Spin", description="At the first frame, rad/s", subtype="EULER")
    friction: FloatProperty(name="Friction", default=0.5, min=0, max=10)
    restitution: FloatProperty(name="Bounce", default=0, min=0, max=1)
    result: EnumProperty(name="Result", items=RESULTS)
    poses: CollectionProperty(type=LimberPose)
    pose_index: IntProperty()
    swing: FloatProperty(name="Swing", description="Vibrations beside the calm way from pose to pose: 0.3 is lively",
                         default=0.3, min=0, max=10)
    pose_modes: IntProperty(name="Modes", description="Of the living motion", default=80, min=1, max=1000)
    after: IntProperty(name="Frames after", description="How long it swings on behind the last pose", default=0, min=0,
                       max=10000)


class LimberScene(bpy.types.PropertyGroup):
    use_ground: BoolProperty(name="Ground", description="A plane that everything falls on", default=True)
    ground_height: FloatProperty(name="Height", description="Of the ground", subtype="DISTANCE")
    ground_friction: FloatProperty(name="Friction", default=0.5, min=0, max=10)
    steps: IntProperty(name="Steps", description="In each frame: more for fast motions and hard contacts", default=1, min=1,
                       max=100)


class LimberProgress(bpy.types.PropertyGroup):
    """Of the work under way; neither saved nor undone, for it belongs to the window manager."""

    running: BoolProperty()
    stage: StringProperty()
    fraction: FloatProperty(name="Progress", subtype="PERCENTAGE", min=0, max=100)


class LimberPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: StringProperty(name="Program", description="The program `limber`; empty: the one in PATH",
                            subtype="FILE_PATH")

    def draw(self, _context):
        self.layout.prop(self, "program")


CLASSES = [LimberPose, LimberObject, LimberScene, LimberProgress, LimberPreferences]


def attach():
    bpy.types.Object.limber = PointerProperty(type=LimberObject)
    bpy.types.Scene.limber = PointerProperty(type=LimberScene)
    bpy.types.WindowManager.limber = PointerProperty(type=LimberProgress)


def detach():
    del bpy.types.Object.limber
    del bpy.types.Scene.limber
    del bpy.types.WindowManager.limber
