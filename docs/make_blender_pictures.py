"""Pictures of docs/blender.md, made by Blender itself with the add-on of this tree:

    LIMBER=build/release/limber xvfb-run -a blender -b --factory-startup --python docs/make_blender_pictures.py
    LIMBER=build/release/limber xvfb-run -a blender --factory-startup -p 0 0 1200 800 --enable-event-simulate \\
        --python docs/make_blender_pictures.py

The first draws the scenes (Workbench wants a display, which Xvfb stands in for), the second the panel. A palette makes the larger ones small:

    ffmpeg -i A.png -vf 'split[a][b];[a]palettegen=max_colors=200[p];[b][p]paletteuse=dither=none' B.png
"""

import math
import pathlib
import sys

import bpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "bindings" / "blender"))

import limber_blender  # noqa: E402

BLUE, GREEN, ORANGE, PINK, GREY = ((0.16, 0.42, 0.75, 1), (0.2, 0.6, 0.3, 1), (0.9, 0.45, 0.1, 1),
                                   (0.8, 0.35, 0.5, 1), (0.45, 0.45, 0.45, 1))


def empty(frames):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    return scene


def active(obj, colour, smooth=True):
    bpy.ops.object.select_all(action="DESELECT")
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj
    obj.color = colour
    if smooth:
        bpy.ops.object.shade_smooth()
    return obj


def monkey(place, turn, preset, colour):
    bpy.ops.mesh.primitive_monkey_add(location=place, rotation=turn)
    obj = bpy.context.object
    bpy.ops.limber.set_role(role="SOFT")
    obj.limber.preset = preset
    obj.modifiers.new("Smooth", "SUBSURF").levels = 2
    return active(obj, colour)


def bar(place, colour):
    bpy.ops.mesh.primitive_cylinder_add(vertices=24, radius=0.2, depth=3, location=place)
    obj = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    for edge in obj.data.edges:
        a, b = (obj.data.vertices[v].co for v in edge.vertices)
        edge.select = abs(a.z - b.z) > 1
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=20)
    bpy.ops.object.mode_set(mode="OBJECT")
    return active(obj, colour)


def copy_at(obj, frame, shift, colour):
    """What the object looks like at a frame, put beside."""
    bpy.context.scene.frame_set(frame)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = bpy.data.meshes.new_from_object(evaluated)
    mesh.transform(obj.matrix_world)
    copy = bpy.data.objects.new(f"{obj.name} at {frame}", mesh)
    copy.location = shift
    bpy.context.collection.objects.link(copy)
    copy.color = colour
    return copy


def floor(height=0):
    bpy.ops.mesh.primitive_plane_add(size=400, location=(0, 0, height))
    active(bpy.context.object, (0.8, 0.8, 0.8, 1), smooth=False)


def render(name, eye, target, lens=45, size=(640, 360)):
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Eye", bpy.data.cameras.new("Eye"))
    scene.collection.objects.link(camera)
    direction = [t - e for t, e in zip(target, eye)]
    camera.location = eye
    camera.rotation_euler = (math.atan2(math.hypot(*direction[:2]), -direction[2]), 0,
                             math.atan2(direction[1], direction[0]) - math.pi / 2)
    camera.data.lens = lens
    scene.camera = camera
    scene.render.engine = "BLENDER_WORKBENCH"
    shading = scene.display.shading
    shading.light, shading.color_type = "STUDIO", "OBJECT"
    shading.show_shadows = shading.show_cavity = True
    shading.shadow_intensity = 0.35
    scene.display.render_aa = "16"
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.color = (0.55, 0.6, 0.65)
    scene.render.dither_intensity = 0  # its noise is most of a PNG
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.compression = 100
    scene.render.filepath = str(IMAGES / name)
    bpy.ops.render.render(write_still=True)


def contact():
    scene = empty(40)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1, segments=48, ring_count=24, location=(0, 0, 0.4))
    bpy.ops.limber.set_role(role="OBSTACLE")
    active(bpy.context.object, GREY)
    monkey((0, 0, 2.9), (0.3, 0.1, 0.2), "jelly", GREEN)
    monkey((-2.4, -0.3, 1.6), (-0.5, 0, 0.5), "jelly", PINK)
    monkey((2.4, -0.2, 2.0), (0.2, 0.4, -0.4), "flesh", BLUE)
    scene.limber.steps = 4
    assert bpy.ops.limber.bake() == {"FINISHED"}
    scene.frame_set(19)
    floor()
    render("blender-contact.png", (0.5, -9.5, 3.2), (0, 0, 1))


def pinned():
    scene = empty(60)
    rod = bar((0, 0, 4), BLUE)
    rod.rotation_euler = (0, math.pi / 2, 0)
    wall = rod.vertex_groups.new(name="wall")
    stiff = rod.vertex_groups.new(name="stiff")
    for vertex in rod.data.vertices:
        wall.add([vertex.index], float(vertex.co.z < -1.45), "REPLACE")
        stiff.add([vertex.index], min(1.0, max(0.0, 0.6 - vertex.co.z / 1.5)), "REPLACE")
    bpy.ops.limber.set_role(role="SOFT")
    settings = rod.limber
    settings.preset, settings.cells, settings.fixed_group = "jelly", 40, "wall"
    settings.young = 4e5
    settings.stiff_young = 1e8
    scene.limber.use_ground = False
    for group, height, colour in (("", 0, BLUE), ("stiff", 2.4, ORANGE)):
        settings.stiff_group = group
        assert bpy.ops.limber.bake() == {"FINISHED"}
        for k, frame in enumerate((1, 5, 9, 13)):
            copy_at(rod, frame, (3.6 * k, 0, height), colour)
    rod.hide_render = True
    render("blender-pinned.png", (5.4, -19, 5.2), (5.4, 0, 4.6), lens=42, size=(720, 330))


def living():
    scene = empty(60)
    rod = bar((0, 0, 1.5), BLUE)
    rod.shape_key_add(name="Basis")
    for name, bend in (("Left", 1.9), ("Right", -1.9)):
        key = rod.shape_key_add(name=name)
        for vertex, point in zip(rod.data.vertices, key.data):
            radius, angle = 3 / bend, bend * (vertex.co.z + 1.5) / 3
            point.co = ((radius + vertex.co.x) * math.cos(angle) - radius, vertex.co.y,
                        (radius + vertex.co.x) * math.sin(angle) - 1.5)
    rod.limber.cells, rod.limber.swing, rod.limber.after = 40, 0.4, 12
    for frame, name in ((1, "Basis"), (13, "Left"), (31, "Right")):
        pose = rod.limber.poses.add()
        pose.frame, pose.shape_key = frame, name
    assert bpy.ops.limber.interpolate() == {"FINISHED"}
    for k, frame in enumerate((1, 7, 13, 19, 25, 31, 37, 43)):
        copy_at(rod, frame, (2.75 * k, 0, 0), ORANGE if frame in (1, 13, 31) else BLUE)
    rod.hide_render = True
    scene.frame_set(1)
    floor(-0.05)
    render("blender-living.png", (10.2, -30, 4.5), (10.2, 0, 1.3), lens=46, size=(720, 220))


def panel():
    """The sidebar's tab, clicked by a simulated mouse."""
    bpy.context.preferences.view.show_splash = False
    cube = bpy.data.objects["Cube"]
    cube.select_set(True)
    bpy.ops.limber.set_role(role="SOFT")
    for name in ("wall", "stiff"):
        cube.vertex_groups.new(name=name)
    cube.limber.fixed_group, cube.limber.stiff_group = "wall", "stiff"
    window = bpy.context.window_manager.windows[0]

    def steps():
        area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
        area.spaces[0].show_region_ui = True
        yield
        side = next(r for r in area.regions if r.type == "UI")
        for value in ("PRESS", "RELEASE"):
            window.event_simulate(type="LEFTMOUSE", value=value, x=side.x + side.width - 12,
                                  y=side.y + side.height - 165)
        yield
        with bpy.context.temp_override(window=window, area=area):
            bpy.ops.screen.screenshot_area(filepath=str(IMAGES / "blender-panel.png"))
        bpy.ops.wm.quit_blender()

    story = steps()

    def step():
        next(story, None)
        return 2.0

    bpy.app.timers.register(step, first_interval=2)


limber_blender.register()
if bpy.app.background:
    contact()
    pinned()
    living()
else:
    panel()
