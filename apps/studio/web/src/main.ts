import { Studio } from "./app";
import { SocketBackend } from "./net/socket_backend";
import { checkWarp, readBack, testAmplitudes } from "./warp/check";
import { syntheticBody } from "./warp/synthetic_body";
import "./style.css";

declare global {
  interface Window {
    /** For tests and for the documentation's pictures. */
    limber: {
      studio: Studio;
      checkWarp: typeof checkSynthetic;
      gpuPositions: () => number[];
    };
  }
}

/** The vertex program against double precision on made-up modes, turned by up to `angle` rad. */
function checkSynthetic(vertices: number, modes: number, angle: number, warped: boolean) {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (gl === null) throw new Error("no WebGL2");
  const body = syntheticBody(vertices, modes);
  return checkWarp(gl, body, testAmplitudes(body, angle), warped);
}

/** Where the vertex program puts the first body's vertices in the newest frame. */
function gpuPositions(studio: Studio): number[] {
  const gl = document.createElement("canvas").getContext("webgl2");
  const body = studio.bodies.loaded?.bodies[0];
  const instance = studio.newest?.instances[0];
  if (gl === null || body === undefined || instance === undefined) throw new Error("nothing to read");
  return [...readBack(gl, body, instance.values, instance.kind === "warped", body.vertexCount).positions];
}

const root = document.querySelector<HTMLElement>("#studio")!;
try {
  const studio = new Studio(root, new SocketBackend(location.origin));
  window.limber = { studio, checkWarp: checkSynthetic, gpuPositions: () => gpuPositions(studio) };
  studio.start();
} catch (error) {
  root.className = "no-start";
  root.textContent =
    "The studio needs WebGL2, and this browser did not give it " +
    `(${error instanceof Error ? error.message : String(error)}). ` +
    "Turn on hardware acceleration or try another browser.";
}
