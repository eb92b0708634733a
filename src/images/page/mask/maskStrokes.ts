import type { MaskStep } from "../../protocol/studioState.ts";

type Canvas2d = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Paints steps: opaque white for the mask, transparent elsewhere. */
function paintSteps(context: Canvas2d, steps: readonly MaskStep[], scale: number): void {
  for (const step of steps) paintStep(context, step, scale);
}

function paintStep(context: Canvas2d, step: MaskStep, scale: number): void {
  const { width, height } = context.canvas;
  context.fillStyle = "#fff";
  context.strokeStyle = "#fff";
  context.globalCompositeOperation = "source-over";
  switch (step.kind) {
    case "clear":
      context.clearRect(0, 0, width, height);
      break;
    case "all":
      context.fillRect(0, 0, width, height);
      break;
    case "invert":
      context.globalCompositeOperation = "xor";
      context.fillRect(0, 0, width, height);
      break;
    case "lasso":
      paintArea(context, step.points, scale);
      break;
    default:
      if (step.kind === "eraser") context.globalCompositeOperation = "destination-out";
      paintLine(context, step.points, step.radius * scale, scale);
  }
}

function paintLine(
  context: Canvas2d,
  points: readonly (readonly [number, number])[],
  radius: number,
  scale: number,
): void {
  const [first, ...rest] = points;
  if (!first) return;
  context.beginPath();
  if (rest.length === 0) {
    context.arc(first[0] * scale, first[1] * scale, radius, 0, 2 * Math.PI);
    context.fill();
    return;
  }
  context.lineWidth = radius * 2;
  context.lineCap = "round";
  context.lineJoin = "round";
  context.moveTo(first[0] * scale, first[1] * scale);
  for (const [x, y] of rest) context.lineTo(x * scale, y * scale);
  context.stroke();
}

function paintArea(context: Canvas2d, points: readonly (readonly [number, number])[], scale: number): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x * scale, y * scale);
  context.closePath();
  context.fill();
}

/** The painted steps with a soft edge, in a canvas of this size. */
export function paintMask(
  steps: readonly MaskStep[],
  { width, height, scale, feather }: MaskSize,
): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("there is no canvas to draw on");
  paintSteps(context, steps, scale);
  if (feather === 0) return canvas;
  const soft = new OffscreenCanvas(width, height);
  const softened = soft.getContext("2d");
  if (!softened) throw new Error("there is no canvas to draw on");
  // Nearly all of a blur is within two of its deviations on each side.
  softened.filter = `blur(${(feather * scale) / 4}px)`;
  softened.drawImage(canvas, 0, 0);
  return soft;
}

interface MaskSize {
  /** Of the canvas. */
  readonly width: number;
  readonly height: number;
  /** Canvas pixels per pixel of the picture. */
  readonly scale: number;
  /** Width of the soft edge, in pixels of the picture. */
  readonly feather: number;
}

/** The mask for the service: white where the picture changes, black elsewhere, in the size of the picture. */
export async function toMaskFile(
  steps: readonly MaskStep[],
  width: number,
  height: number,
  feather = 0,
): Promise<Blob> {
  const canvas = paintMask(steps, { width, height, scale: 1, feather });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("there is no canvas to draw on");
  context.filter = "none";
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = "#000";
  context.fillRect(0, 0, width, height);
  return canvas.convertToBlob({ type: "image/png" });
}

/** True if the mask of these steps would be all black. */
export function isBlankMask(steps: readonly MaskStep[]): boolean {
  return steps.findLastIndex(({ kind }) => kind === "clear") === steps.length - 1;
}
