import { useEffect, useRef, useState } from "preact/hooks";
import type { Layer, MaskStep } from "../../protocol/studioState.ts";
import type { StudioModel } from "../studioModel.ts";
import { Easel, type MaskTool } from "./Easel.tsx";
import { isBlankMask, toMaskFile } from "./maskStrokes.ts";

interface PainterProps {
  readonly model: StudioModel;
  readonly base: Layer;
}

/** Shares of the longer edge of the base. */
const bounds = { least: 0.005, most: 0.25, step: 1.25 };

/** Paints the area of the base to change: white where it is painted, black elsewhere. */
export function MaskPainter({ model, base }: PainterProps) {
  const history = useSteps(model.stepsOf(base.id));
  const { steps } = history;
  const before = useRef(steps);
  const [tool, setTool] = useState<MaskTool>("brush");
  const [share, setShare] = useState(0.04);
  const [feather, setFeather] = useState(model.featherOf(base.id));
  const resize = (times: number) => setShare(Math.min(bounds.most, Math.max(bounds.least, share * times)));
  const longer = Math.max(base.width, base.height);
  const paint = (painted: readonly MaskStep[], soft: number, isOpen: boolean) =>
    model.paint({ base: base.id, steps: painted, ...(soft > 0 ? { feather: soft } : {}), isOpen });
  useEffect(() => paint(steps, feather, true), [steps, feather]);
  const leave = (stored: readonly MaskStep[], soft: number) => {
    paint(stored, soft, false);
    model.isPainting.value = false;
  };
  const softBefore = useRef(feather);
  const cancel = () => leave(before.current, softBefore.current);
  const use = async () => {
    const file = await toMaskFile(steps, base.width, base.height, feather);
    model.bridge.post("mask", { bytes: new Uint8Array(await file.arrayBuffer()) });
    model.note.value = "The mask was added to the pictures to edit.";
    leave(steps, feather);
  };
  const keys = {
    "[": () => resize(1 / bounds.step),
    "]": () => resize(bounds.step),
    e: () => setTool(tool === "brush" ? "eraser" : "brush"),
    l: () => setTool("lasso"),
    i: () => history.add({ kind: "invert" }),
    Escape: cancel,
  };
  return (
    <article class="painter" aria-label={`Mask over ${base.name}`} onKeyDown={history.onKeyDown}>
      <header>
        <h2>Mask</h2>
        <span class="quiet">Paint where {base.name} is to change.</span>
      </header>
      <div class="buttons" role="toolbar" aria-label="Painting">
        <ToolButtons {...{ tool, setTool, share, setShare }} />
        <FeatherSlider share={feather / longer} onShare={(next) => setFeather(Math.round(next * longer))} />
        <HistoryButtons history={history} />
        <span class="grow" />
        <button type="button" class="button primary" disabled={isBlankMask(steps)} onClick={() => void use()}>
          Use Mask
        </button>
        <button type="button" class="button" onClick={cancel}>
          Cancel
        </button>
      </div>
      <Easel
        {...{ model, base, steps, tool, feather, keys }}
        radius={Math.max(1, Math.round(longer * share))}
        onStep={history.add}
      />
    </article>
  );
}

/** The steps of a mask, which can be undone and redone. */
interface StepHistory {
  readonly steps: readonly MaskStep[];
  readonly undone: readonly MaskStep[];
  add(step: MaskStep): void;
  undo(): void;
  redo(): void;
  onKeyDown(event: KeyboardEvent): void;
}

function useSteps(initial: readonly MaskStep[]): StepHistory {
  const [{ steps, undone }, setHistory] = useState<Pick<StepHistory, "steps" | "undone">>({
    steps: initial,
    undone: [],
  });
  // Functional updates: a key may be pressed before the last change is rendered.
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
  return {
    steps,
    undone,
    add,
    undo,
    redo,
    /** Handled for the whole panel and stopped, because VS Code would undo in the last text box of the page. */
    onKeyDown(event) {
      if (!(event.ctrlKey || event.metaKey)) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      event.stopPropagation();
      if (key === "y" || event.shiftKey) redo();
      else undo();
    },
  };
}

const toolNames: Readonly<Record<MaskTool, string>> = { brush: "Brush", eraser: "Eraser", lasso: "Lasso" };

interface FeatherProps {
  /** Of the longer edge. */
  readonly share: number;
  readonly onShare: (share: number) => void;
}

function FeatherSlider({ share, onShare }: FeatherProps) {
  return (
    <label class="slider" title="A soft edge blends the change into the picture">
      Feather
      <input
        type="range"
        aria-label="Feather"
        min={0}
        max={0.1}
        step={0.005}
        value={share}
        onInput={({ currentTarget }) => onShare(Number(currentTarget.value))}
      />
    </label>
  );
}

interface ToolButtonsProps {
  readonly tool: MaskTool;
  readonly setTool: (tool: MaskTool) => void;
  readonly share: number;
  readonly setShare: (share: number) => void;
}

function ToolButtons({ tool, setTool, share, setShare }: ToolButtonsProps) {
  return (
    <>
      {(["brush", "eraser", "lasso"] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          class="button"
          aria-pressed={tool === kind}
          onClick={() => setTool(kind)}
        >
          {toolNames[kind]}
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
    </>
  );
}

function HistoryButtons({ history: { steps, undone, add, undo, redo } }: { readonly history: StepHistory }) {
  return (
    <>
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
    </>
  );
}
