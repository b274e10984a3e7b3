"""Pictures of docs/methods/contact.md: moments of the scenes of contact. Run from a clone after ./run."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
# scene, seconds, further options
MOMENTS = [("slope", 1.0), ("stack", 2.0), ("wall", 0.35), ("tray", 2.0), ("chain", 0.6),
           ("bat", 0.32, "--camera=-120,15")]


def main():
    for scene, time, *options in MOMENTS:
        subprocess.run([ROOT / "build/release/limber", "render", ROOT / f"scenes/{scene}.json", "--time", str(time),
                        "--frame", "moment", "--no-labels", "--size", "640x360", *options, "-o",
                        ROOT / f"docs/images/contact-{scene}.png"], check=True)


if __name__ == "__main__":
    main()
