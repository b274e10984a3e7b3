"""Materials to start from. SI units; `damping` is Rayleigh's, by stiffness, in s."""

from collections import namedtuple

Material = namedtuple("Material", "young poisson density damping")

# Rubber, wood and steel as in textbooks. Jelly, foam and flesh are stiffer than on a plate: a cube of 2 m, Blender's
# own, sags by 16, 3 and 3 % under its weight (ρ g L / 2 E). The damping lets its first mode ring down in some swings.
PRESETS = {
    "jelly": Material(6e4, 0.45, 1000, 0.01),
    "rubber": Material(2e6, 0.47, 1100, 1e-3),
    "foam": Material(2e4, 0.2, 60, 4e-3),
    "flesh": Material(3e5, 0.45, 1060, 0.012),
    "wood": Material(1e10, 0.35, 600, 4e-6),
    "steel": Material(2.1e11, 0.29, 7850, 2e-7),
}
CUSTOM = "custom"
CHOICES = [(CUSTOM, "Custom", "The numbers below")] + [
    (name, name.capitalize(), f"Young's modulus {material.young:g} Pa, density {material.density:g} kg/m³")
    for name, material in PRESETS.items()]


def preset_of(material):
    """The name of the preset that these numbers are, within what single precision keeps."""
    for name, preset in PRESETS.items():
        if all(abs(a - b) <= 1e-6 * abs(b) for a, b in zip(material, preset)):
            return name
    return CUSTOM
