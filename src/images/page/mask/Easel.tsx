import { useEffect, useRef, useState } from "preact/hooks";
import type { Layer, MaskStep } from "../../protocol/studioState.ts";
import { usePicture } from "../gallery/pictureStore.ts";
import type { StudioModel } from "../studioModel.ts";
import { useMaskColour } from "./maskColour.ts";
import { paintMask } from "./maskStrokes.ts";
import { useZoom } from "./maskZoom.ts";

type Point = readonly [x: number, y: number];
export type MaskTool = "brush" | "eraser" | "lasso";

interface EaselProps {
  readonly model: StudioModel;
  readonly base: Layer;
  readonly steps: readonly MaskStep[];
  readonly tool: MaskTool;
  /** In pixels of the base. */
  readonly radius: number;
  /** Width of the soft edge, in pixels of the base. */
  readonly feather: number;
  readonly onStep: (step: MaskStep) => void;
  /** Keys that change the tool. */
  readonly keys: Readonly<Record<string, () => void>>;
}

/** A larger canvas would be scaled down on the screen anyway. */
const mostShownPx = 1024;
const maskHelp =
  "Mask. Arrow keys move, space paints a dot, Enter puts the brush down or up, or begins and ends the line of the lasso, E changes brush and eraser, L takes the lasso, brackets change the size, plus, minus and 0 zoom, C changes the colour, Control Z undoes, Control Shift Z redoes, I inverts, Escape leaves.";

/** The base with the mask over it, painted by pointer or keyboard. */
export function Easel({ model, base, steps, tool, radius, feather, onStep, keys }: EaselProps) {
  const url = usePicture(model.store, "layer", base.id);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = base;
  const zoom = useZoom(canvas);
  const colour = useMaskColour(url);
  // A larger canvas than the screen shows would be scaled down.
  const scale = Math.min(1, (mostShownPx * Math.min(4, zoom.factor)) / Math.max(width, height));
  const look = { scale, feather, colour: colour.css };
  const show = (step?: MaskStep) => redraw(canvas.current, step ? [...steps, step] : steps, look);
  const cursor = useCursor({ model, base, tool, radius, onStep, show });
  useEffect(() => show(), [steps, scale, feather, colour.css]);
  useEffect(() => canvas.current?.focus(), []);
  const stroke = useStroke(tool, radius, show, onStep);
  const ownKeys: EaselProps["keys"] = { ...keys, ...zoom.keys, c: colour.next };
  const onKeyDown = (event: KeyboardEvent) => {
    const run = event.ctrlKey || event.metaKey ? undefined : (cursor.keys[event.key] ?? ownKeys[event.key]);
    if (!run) return;
    event.preventDefault();
    run();
  };
  // role=application passes all keys to the page.
  const application = { role: "application", tabIndex: 0, "aria-label": maskHelp, onKeyDown } as const;
  const [x, y] = cursor.at;
  return (
    <>
      <div class="buttons" role="toolbar" aria-label="View">
        <button type="button" class="button" disabled={zoom.isLeast} onClick={zoom.keys["-"]}>
          Zoom Out
        </button>
        <button type="button" class="button" disabled={zoom.isMost} onClick={zoom.keys["+"]}>
          Zoom In
        </button>
        <span class="quiet" role="status">
          {zoom.factor * 100} %
        </span>
        <button type="button" class="button" title="The colour of the mask (C)" onClick={colour.next}>
          <span class="swatch" style={{ background: colour.css }} /> Colour: {colour.name}
        </button>
      </div>
      <div class="easel-frame">
        <div class="easel" style={zoom.style}>
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
            ref={cursor.ref}
            class={`cursor${cursor.isDown ? " down" : ""}`}
            style={{
              left: `${(x / width) * 100}%`,
              top: `${(y / height) * 100}%`,
              width: `${((radius * 2) / width) * 100}%`,
              height: `${((radius * 2) / height) * 100}%`,
            }}
          />
        </div>
      </div>
    </>
  );
}

interface CursorOptions extends Pick<EaselProps, "model" | "base" | "tool" | "radius" | "onStep"> {
  readonly show: (step: MaskStep) => void;
}

/** The cursor of the keyboard. While its pen is down, moving it paints, or draws the line of the lasso. */
function useCursor({ model, base, tool, radius, onStep, show }: CursorOptions) {
  const { width, height } = base;
  const [at, setAt] = useState<Point>([Math.round(width / 2), Math.round(height / 2)]);
  const [isDown, setDown] = useState(false);
  const line = useRef<Point[]>([]);
  const ref = useRef<HTMLSpanElement>(null);
  useEffect(() => ref.current?.scrollIntoView({ block: "nearest", inline: "nearest" }), [at]);
  const move = (byX: number, byY: number) => {
    const [x, y] = [clamp(at[0] + byX, width), clamp(at[1] + byY, height)];
    if (isDown && tool === "lasso") {
      line.current.push([x, y]);
      show({ kind: "lasso", points: line.current });
    } else if (isDown && tool !== "lasso") onStep({ kind: tool, radius, points: [at, [x, y]] });
    setAt([x, y]);
    model.note.value = `${isDown ? "Painting, " : ""}${x} of ${width} across, ${y} of ${height} down`;
  };
  const press = () => {
    if (tool === "lasso" && isDown && line.current.length > 2)
      onStep({ kind: "lasso", points: line.current });
    line.current = [at];
    setDown(!isDown);
  };
  const keys: EaselProps["keys"] = {
    ArrowLeft: () => move(-radius, 0),
    ArrowRight: () => move(radius, 0),
    ArrowUp: () => move(0, -radius),
    ArrowDown: () => move(0, radius),
    " ": () => tool !== "lasso" && onStep({ kind: tool, radius, points: [at] }),
    Enter: press,
  };
  return { at, isDown, keys, ref };
}

/** Strokes of the pointer: `show` is called with each point, `finish` with the whole stroke. */
function useStroke(
  tool: MaskTool,
  radius: number,
  show: (step: MaskStep) => void,
  finish: (step: MaskStep) => void,
) {
  const drawn = useRef<Point[]>(undefined);
  const stepOf = (points: readonly Point[]): MaskStep =>
    tool === "lasso" ? { kind: tool, points } : { kind: tool, radius, points };
  return {
    start(point: Point) {
      drawn.current = [point];
      show(stepOf(drawn.current));
    },
    extend(point: Point) {
      if (!drawn.current) return;
      drawn.current.push(point);
      show(stepOf(drawn.current));
    },
    end() {
      const points = drawn.current;
      drawn.current = undefined;
      // A click with the lasso encloses nothing.
      if (points && (tool !== "lasso" || points.length > 2)) finish(stepOf(points));
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

interface MaskLook {
  readonly scale: number;
  readonly feather: number;
  readonly colour: string;
}

function redraw(
  canvas: HTMLCanvasElement | null,
  steps: readonly MaskStep[],
  { scale, feather, colour }: MaskLook,
): void {
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return;
  const { width, height } = canvas;
  context.globalCompositeOperation = "copy";
  context.drawImage(paintMask(steps, { width, height, scale, feather }), 0, 0);
  // Neither white nor black is visible on every picture.
  context.globalCompositeOperation = "source-in";
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}
