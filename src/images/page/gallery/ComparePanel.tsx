import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { placeOf, scrollTo } from "../scrollPlace.ts";
import type { StudioModel } from "../studioModel.ts";
import { OpenedPanel } from "./OpenedPanel.tsx";
import { Facts } from "./PicturePanel.tsx";
import { usePicture } from "./pictureStore.ts";

interface CompareProps {
  readonly model: StudioModel;
  readonly names: readonly [string, string];
}

/** Zoom factors relative to the frame. */
const zooms = [1, 1.5, 2, 3, 4, 6, 8];

/** Two pictures, side by side or stacked; zoomed and scrolled together, they show the same part. */
export function ComparePanel({ model, names }: CompareProps) {
  const [zoom, setZoom] = useState(1);
  const frames = useRef<(HTMLElement | null)[]>([]);
  const place = useRef<readonly [number, number]>([0.5, 0.5]);
  const step = (by: 1 | -1) => setZoom(zooms[zooms.indexOf(zoom) + by] ?? zoom);
  useLayoutEffect(() => {
    for (const frame of frames.current) if (frame) scrollTo(frame, place.current);
  }, [zoom]);
  const follow = (moved: HTMLElement) => {
    place.current = placeOf(moved);
    for (const frame of frames.current) if (frame && frame !== moved) scrollTo(frame, place.current);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") step(1);
    else if (event.key === "-") step(-1);
    else if (event.key === "0") setZoom(1);
    else return;
    event.preventDefault();
  };
  return (
    <OpenedPanel model={model} title="Compare" label="Two pictures compared">
      <div class="buttons" role="toolbar" aria-label="Zoom" onKeyDown={onKeyDown}>
        <button type="button" class="button" disabled={zoom === zooms[0]} onClick={() => step(-1)}>
          Smaller
        </button>
        <button type="button" class="button" disabled={zoom === zooms.at(-1)} onClick={() => step(1)}>
          Larger
        </button>
        <button type="button" class="button" disabled={zoom === 1} onClick={() => setZoom(1)}>
          Fit
        </button>
        <span class="quiet" role="status">
          {zoom * 100} %
        </span>
      </div>
      <div class="pair">
        {names.map((name, index) => (
          <One
            key={name}
            {...{ model, name, zoom, onKeyDown }}
            hold={(frame) => {
              frames.current[index] = frame;
            }}
            onMove={follow}
          />
        ))}
      </div>
    </OpenedPanel>
  );
}

interface OneProps {
  readonly model: StudioModel;
  readonly name: string;
  readonly zoom: number;
  readonly hold: (frame: HTMLElement | null) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onMove: (frame: HTMLElement) => void;
}

function One({ model, name, zoom, hold, onKeyDown, onMove }: OneProps) {
  const url = usePicture(model.store, "picture", name);
  const facts = model.gallery.itemOf(name)?.facts;
  // Focusable, so that the arrow keys scroll it.
  const frame = { role: "group", tabIndex: 0, "aria-label": `Picture ${name}`, onKeyDown } as const;
  return (
    <figure>
      <div class="frame" ref={hold} {...frame} onScroll={({ currentTarget }) => onMove(currentTarget)}>
        {url && <img src={url} alt={facts?.prompt ?? name} style={{ width: `${zoom * 100}%` }} />}
      </div>
      <figcaption>
        <strong>{name}</strong>
        {facts && <Facts facts={facts} />}
      </figcaption>
    </figure>
  );
}
