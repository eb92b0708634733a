import { useEffect, useRef, useState } from "preact/hooks";
import type { Layer, MaskStep } from "../../protocol/studioState.ts";
import { usePicture } from "../gallery/pictureStore.ts";
import type { StudioModel } from "../studioModel.ts";
import { paintSteps } from "./maskStrokes.ts";

type Point = readonly [x: number, y: number];
export type MaskTool = "brush" | "eraser";

interface EaselProps {
  readonly model: StudioModel;
  readonly base: Layer;
  readonly steps: readonly MaskStep[];
  readonly tool: MaskTool;
  /** In pixels of the base. */
  readonly radius: number;
  readonly onStep: (step: MaskStep) => void;
  /** Keys that change the tool. */
  readonly keys: Readonly<Record<string, () => void>>;
}

/** A larger canvas would be scaled down on the screen anyway. */
const mostShownPx = 1024;
/** Has a contrast of 3 : 1 to black and to white, also with the opacity of the canvas. */
const tint = "rgb(255 0 100)";
const maskHelp =
  "Mask. Arrow keys move, space paints a dot, Enter puts the brush down or up, E changes brush and eraser, brackets change its size, Control Z undoes, Control Shift Z redoes, I inverts, Escape leaves.";

/** The base with the mask over it, painted by pointer or keyboard. */
export function Easel({ model, base, steps, tool, radius, onStep, keys }: EaselProps) {
  const url = usePicture(model.store, "layer", base.id);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = base;
  const scale = Math.min(1, mostShownPx / Math.max(width, height));
  const cursor = useCursor({ model, base, tool, radius, onStep });
  useEffect(() => redraw(canvas.current, steps, scale), [steps, scale]);
  useEffect(() => canvas.current?.focus(), []);
  const show = (stroke: Stroke) => redraw(canvas.current, [...steps, stroke], scale);
  const stroke = useStroke({ kind: tool, radius }, show, onStep);
  const onKeyDown = (event: KeyboardEvent) => {
    const run = event.ctrlKey || event.metaKey ? undefined : (cursor.keys[event.key] ?? keys[event.key]);
    if (!run) return;
    event.preventDefault();
    run();
  };
  // role=application passes all keys to the page.
  const application = { role: "application", tabIndex: 0, "aria-label": maskHelp, onKeyDown } as const;
  const [x, y] = cursor.at;
  return (
    <div class="easel">
      {url && <img src={url} alt="" draggable={false} />}
      <canvas
        ref={canvas}
        width={Math.round(width * scale)}
        height={Math.round(height * scale)}
        {...application}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          stroke.start(pointOf(event, base));
        }}
        onPointerMove={(event) => stroke.extend(pointOf(event, base))}
        onPointerUp={() => stroke.end()}
        onPointerCancel={() => stroke.end()}
      />
      <span
        class={`cursor${cursor.isDown ? " down" : ""}`}
        style={{
          left: `${(x / width) * 100}%`,
          top: `${(y / height) * 100}%`,
          width: `${((radius * 2) / width) * 100}%`,
          height: `${((radius * 2) / height) * 100}%`,
        }}
      />
    </div>
  );
}

/** The cursor of the keyboard. While its pen is down, moving it paints. */
function useCursor({ model, base, tool, radius, onStep }: Omit<EaselProps, "steps" | "keys">) {
  const { width, height } = base;
  const [at, setAt] = useState<Point>([Math.round(width / 2), Math.round(height / 2)]);
  const [isDown, setDown] = useState(false);
  const move = (byX: number, byY: number) => {
    const [x, y] = [clamp(at[0] + byX, width), clamp(at[1] + byY, height)];
    if (isDown) onStep({ kind: tool, radius, points: [at, [x, y]] });
    setAt([x, y]);
    model.note.value = `${isDown ? "Painting, " : ""}${x} of ${width} across, ${y} of ${height} down`;
  };
  const keys: EaselProps["keys"] = {
    ArrowLeft: () => move(-radius, 0),
    ArrowRight: () => move(radius, 0),
    ArrowUp: () => move(0, -radius),
    ArrowDown: () => move(0, radius),
    " ": () => onStep({ kind: tool, radius, points: [at] }),
    Enter: () => setDown(!isDown),
  };
  return { at, isDown, keys };
}

interface Stroke {
  readonly kind: MaskTool;
  readonly radius: number;
  readonly points: readonly Point[];
}

/** Strokes of the pointer: `show` is called with each point, `finish` with the whole stroke. */
function useStroke(
  pen: Omit<Stroke, "points">,
  show: (stroke: Stroke) => void,
  finish: (stroke: Stroke) => void,
) {
  const drawn = useRef<Stroke & { readonly points: Point[] }>(undefined);
  return {
    start(point: Point) {
      drawn.current = { ...pen, points: [point] };
      show(drawn.current);
    },
    extend(point: Point) {
      if (!drawn.current) return;
      drawn.current.points.push(point);
      show(drawn.current);
    },
    end() {
      if (drawn.current) finish(drawn.current);
      drawn.current = undefined;
    },
  };
}

function pointOf(
  { offsetX, offsetY, currentTarget }: { offsetX: number; offsetY: number; currentTarget: HTMLElement },
  { width, height }: Layer,
): Point {
  return [
    Math.round((offsetX / currentTarget.clientWidth) * width),
    Math.round((offsetY / currentTarget.clientHeight) * height),
  ];
}

function redraw(canvas: HTMLCanvasElement | null, steps: readonly MaskStep[], scale: number): void {
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  paintSteps(context, steps, scale);
  // Neither white nor black is visible on every picture.
  context.globalCompositeOperation = "source-in";
  context.fillStyle = tint;
  context.fillRect(0, 0, canvas.width, canvas.height);
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}
