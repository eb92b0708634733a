import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Layer, MaskStep } from "../../shared/studioState.ts";
import { isBlankMask, paintSteps, toMaskFile } from "./maskStrokes.ts";
import { usePicture } from "./pictureStore.ts";
import type { StudioModel } from "./studioModel.ts";

interface PainterProps {
  readonly model: StudioModel;
  readonly base: Layer;
}

interface History {
  readonly steps: readonly MaskStep[];
  readonly undone: readonly MaskStep[];
}

type Point = readonly [x: number, y: number];

/** A larger canvas would be scaled down on the screen anyway. */
const mostShownPx = 1024;
/** Has a contrast of 3 : 1 to black and to white, also with the opacity of the canvas. */
const tint = "rgb(255 0 100)";
const maskHelp =
  "Mask. Arrow keys move, space paints a dot, Enter puts the brush down or up, E changes brush and eraser, brackets change its size, Control Z undoes, Control Shift Z redoes, I inverts, Escape leaves.";
const bounds = { least: 0.005, most: 0.25, step: 1.25 };

/** Paints the area of the base to change: white where it is painted, black elsewhere. */
export function MaskPainter({ model, base }: PainterProps) {
  const url = usePicture(model.store, "layer", base.id);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = base;
  const edge = Math.max(width, height);
  const scale = Math.min(1, mostShownPx / edge);
  const [{ steps, undone }, setHistory] = useState<History>(() => ({
    steps: model.stepsOf(base.id),
    undone: [],
  }));
  const before = useRef(steps);
  const [tool, setTool] = useState<"brush" | "eraser">("brush");
  const [share, setShare] = useState(0.04);
  const [cursor, setCursor] = useState<Point>([Math.round(width / 2), Math.round(height / 2)]);
  const [penDown, setPenDown] = useState(false);
  const radius = Math.max(1, Math.round(edge * share));
  const drawing = useRef<{ readonly kind: "brush" | "eraser"; readonly radius: number; points: Point[] }>(
    undefined,
  );

  useEffect(() => redraw(canvas.current, steps, scale), [steps, scale]);
  useEffect(() => canvas.current?.focus(), []);
  useEffect(() => model.paint({ base: base.id, steps, isOpen: true }), [steps]);

  const pointOf = ({
    offsetX,
    offsetY,
    currentTarget,
  }: {
    offsetX: number;
    offsetY: number;
    currentTarget: HTMLElement;
  }): Point => [
    Math.round((offsetX / currentTarget.clientWidth) * width),
    Math.round((offsetY / currentTarget.clientHeight) * height),
  ];
  const resize = (times: number) => setShare(Math.min(bounds.most, Math.max(bounds.least, share * times)));
  // A functional update: a key may be pressed before the last change is rendered.
  const add = (step: MaskStep) => setHistory((now) => ({ steps: [...now.steps, step], undone: [] }));
  const undo = () =>
    setHistory((now) => ({
      steps: now.steps.slice(0, -1),
      undone: [...now.undone, ...now.steps.slice(-1)],
    }));
  const redo = () =>
    setHistory((now) => ({
      steps: [...now.steps, ...now.undone.slice(-1)],
      undone: now.undone.slice(0, -1),
    }));
  const leave = (stored: readonly MaskStep[]) => {
    model.paint({ base: base.id, steps: stored, isOpen: false });
    model.isPainting.value = false;
  };
  const cancel = () => leave(before.current);
  const use = async () => {
    const file = await toMaskFile(steps, width, height);
    model.bridge.post("mask", { bytes: new Uint8Array(await file.arrayBuffer()) });
    model.note.value = "The mask was added to the pictures to edit.";
    leave(steps);
  };
  const moveCursor = (next: Point) => {
    const [x, y] = [clamp(next[0], width), clamp(next[1], height)];
    if (penDown) add({ kind: tool, radius, points: [cursor, [x, y]] });
    setCursor([x, y]);
    model.note.value = `${penDown ? "Painting, " : ""}${x} of ${width} across, ${y} of ${height} down`;
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => moveCursor([cursor[0] - radius, cursor[1]]),
    ArrowRight: () => moveCursor([cursor[0] + radius, cursor[1]]),
    ArrowUp: () => moveCursor([cursor[0], cursor[1] - radius]),
    ArrowDown: () => moveCursor([cursor[0], cursor[1] + radius]),
    " ": () => add({ kind: tool, radius, points: [cursor] }),
    Enter: () => setPenDown(!penDown),
    "[": () => resize(1 / bounds.step),
    "]": () => resize(bounds.step),
    e: () => setTool(tool === "brush" ? "eraser" : "brush"),
    i: () => add({ kind: "invert" }),
    Escape: cancel,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const run = event.ctrlKey || event.metaKey ? undefined : keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };
  /** Handled for the whole panel and stopped, because VS Code would undo in the last text box of the page. */
  const onUndoKey = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  };
  const stroke = useMemo(
    () => ({
      start(point: Point) {
        drawing.current = { kind: tool, radius, points: [point] };
        redraw(canvas.current, [...steps, drawing.current], scale);
      },
      extend(point: Point) {
        if (!drawing.current) return;
        drawing.current.points.push(point);
        redraw(canvas.current, [...steps, drawing.current], scale);
      },
      end() {
        const finished = drawing.current;
        drawing.current = undefined;
        if (finished) add(finished);
      },
    }),
    [steps, tool, radius, scale],
  );
  const [cursorX, cursorY] = cursor;
  // role=application passes all keys to the page.
  const easel = {
    role: "application",
    tabIndex: 0,
    "aria-label": maskHelp,
    onKeyDown,
  } as const;
  return (
    <article class="painter" aria-label={`Mask over ${base.name}`} onKeyDown={onUndoKey}>
      <header>
        <h2>Mask</h2>
        <span class="quiet">Paint where {base.name} is to change.</span>
      </header>
      <div class="buttons" role="toolbar" aria-label="Painting">
        {(["brush", "eraser"] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            class="button"
            aria-pressed={tool === kind}
            onClick={() => setTool(kind)}
          >
            {kind === "brush" ? "Brush" : "Eraser"}
          </button>
        ))}
        <label class="slider">
          Size
          <input
            type="range"
            aria-label="Brush size"
            min={bounds.least}
            max={bounds.most}
            step={0.005}
            value={share}
            onInput={({ currentTarget }) => setShare(Number(currentTarget.value))}
          />
        </label>
        <button type="button" class="button" disabled={steps.length === 0} onClick={undo}>
          Undo
        </button>
        <button type="button" class="button" disabled={undone.length === 0} onClick={redo}>
          Redo
        </button>
        <button type="button" class="button" onClick={() => add({ kind: "invert" })}>
          Invert
        </button>
        <button
          type="button"
          class="button"
          disabled={isBlankMask(steps)}
          onClick={() => add({ kind: "clear" })}
        >
          Clear
        </button>
        <span class="grow" />
        <button type="button" class="button primary" disabled={isBlankMask(steps)} onClick={() => void use()}>
          Use Mask
        </button>
        <button type="button" class="button" onClick={cancel}>
          Cancel
        </button>
      </div>
      <div class="easel">
        {url && <img src={url} alt="" draggable={false} />}
        <canvas
          ref={canvas}
          width={Math.round(width * scale)}
          height={Math.round(height * scale)}
          {...easel}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            stroke.start(pointOf(event));
          }}
          onPointerMove={(event) => stroke.extend(pointOf(event))}
          onPointerUp={() => stroke.end()}
          onPointerCancel={() => stroke.end()}
        />
        <span
          class={`cursor${penDown ? " down" : ""}`}
          style={{
            left: `${(cursorX / width) * 100}%`,
            top: `${(cursorY / height) * 100}%`,
            width: `${((radius * 2) / width) * 100}%`,
            height: `${((radius * 2) / height) * 100}%`,
          }}
        />
      </div>
    </article>
  );
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
