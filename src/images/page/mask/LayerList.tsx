import { useEffect, useRef, useState } from "preact/hooks";
import { formatBytes } from "../../../shared/chat/chatAttachments.ts";
import type { Layer, StudioState } from "../../protocol/studioState.ts";
import { usePicture } from "../gallery/pictureStore.ts";
import type { StudioModel } from "../studioModel.ts";
import { fitPicture, redrawPicture } from "./scalePicture.ts";

interface ListProps {
  readonly model: StudioModel;
  readonly state: StudioState;
}

/** The pictures to edit, in order: the first is the base. */
export function LayerList({ model, state }: ListProps) {
  const { layers } = state;
  const base = layers[0];
  useRedrawing(model, layers);
  const [dragged, setDragged] = useState<string | undefined>(undefined);
  const move = (layer: Layer, to: number) => {
    if (to < 0 || to >= layers.length) return;
    model.bridge.post("moveLayer", { id: layer.id, to });
    model.note.value = `${layer.name} is picture ${to + 1} of ${layers.length}${to === 0 ? ", the base" : ""}.`;
  };
  return (
    <section class="layers" aria-label="Pictures to edit">
      <header>
        <h2>Pictures to edit</h2>
        <span class="grow" />
        <button
          type="button"
          class="button"
          disabled={layers.length >= state.mostLayers}
          onClick={() => model.bridge.post("addFiles", {})}
        >
          Add Picture…
        </button>
        <button
          type="button"
          class="button"
          title="A picture on the web, which the service reads from its address"
          disabled={layers.length >= state.mostLayers}
          onClick={() => model.bridge.post("addAddress", { url: "" })}
        >
          Add Picture by Address…
        </button>
        {base && !base.isMask && (base.width > 0 || base.url !== "") && (
          <button
            type="button"
            class="button"
            title={
              base.width > 0 ? undefined : "A mask needs the pixels of the picture, which has no preview"
            }
            disabled={base.width === 0 || base.problem !== "" || base.pixels !== "plain"}
            onClick={() => {
              model.isPainting.value = true;
            }}
          >
            {layers.some(({ isMask }) => isMask) ? "Change Mask…" : "Paint Mask…"}
          </button>
        )}
      </header>
      {layers.length === 0 && (
        <p class="quiet">
          {state.mostLayers > 1
            ? `Add up to ${state.mostLayers} to edit or combine them`
            : "Add one to edit it"}
          : paste a picture or its web address here, drop, or use one of the gallery or the Explorer.
        </p>
      )}
      <ol>
        {layers.map((layer, index) => (
          <LayerRow
            key={layer.id}
            {...{ model, layer, index, isDragged: layer.id === dragged }}
            count={layers.length}
            onMove={(to) => move(layer, to)}
            onDrag={setDragged}
            onDropped={() => {
              const one = layers.find(({ id }) => id === dragged);
              if (one) move(one, index);
              setDragged(undefined);
            }}
          />
        ))}
      </ol>
    </section>
  );
}

interface RowProps {
  readonly model: StudioModel;
  readonly layer: Layer;
  readonly index: number;
  readonly count: number;
  readonly isDragged: boolean;
  readonly onMove: (to: number) => void;
  readonly onDrag: (id: string | undefined) => void;
  readonly onDropped: () => void;
}

function LayerRow({ model, layer, index, count, isDragged, onMove, onDrag, onDropped }: RowProps) {
  const url = usePicture(model.store, "layer", layer.id);
  const [isBroken, setIsBroken] = useState(false);
  const { name, problem } = layer;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    onMove(event.key === "ArrowUp" ? index - 1 : index + 1);
  };
  return (
    <li
      class={isDragged ? "dragged" : ""}
      draggable={true}
      onKeyDown={onKeyDown}
      onDragStart={(event) => {
        event.dataTransfer?.setData("text/plain", layer.id);
        onDrag(layer.id);
      }}
      onDragEnd={() => onDrag(undefined)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onDropped();
      }}
    >
      {url && layer.pixels !== "undrawable" && !isBroken ? (
        <img src={url} alt="" draggable={false} onError={() => setIsBroken(true)} />
      ) : (
        <span class="no-picture" aria-hidden="true">
          {layer.url && "URL"}
        </span>
      )}
      <div class="about">
        <strong>{name}</strong>
        <span class="quiet">
          {roleOf(layer, index)} · {factsOf(layer)}
        </span>
        {layer.url && (
          <span class="quiet" title={layer.url}>
            The service reads it from {new URL(layer.url).host}.
          </span>
        )}
        {problem && (
          <span class="problem" role="alert">
            {problem} <FitButton model={model} layer={layer} />
          </span>
        )}
      </div>
      <RowButtons {...{ model, layer, index, count, onMove }} />
    </li>
  );
}

type ButtonsProps = Pick<RowProps, "model" | "layer" | "index" | "count" | "onMove">;

function RowButtons({ model, layer, index, count, onMove }: ButtonsProps) {
  const { name } = layer;
  return (
    <div class="row-buttons">
      <button
        type="button"
        class="icon-button"
        disabled={index === 0}
        aria-label={`Move ${name} up`}
        title="Up (Alt+↑)"
        onClick={() => onMove(index - 1)}
      >
        ↑
      </button>
      <button
        type="button"
        class="icon-button"
        disabled={index === count - 1}
        aria-label={`Move ${name} down`}
        title="Down (Alt+↓)"
        onClick={() => onMove(index + 1)}
      >
        ↓
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={`Remove ${name}`}
        title="Remove"
        onClick={() => model.bridge.post("removeLayer", { id: layer.id })}
      >
        ✕
      </button>
    </div>
  );
}

/** Pictures that services may read in another way than they are seen are drawn here, because the host has no canvas. */
function useRedrawing({ bridge, store, note }: StudioModel, layers: readonly Layer[]): void {
  const begun = useRef(new Set<string>());
  useEffect(() => {
    for (const { id, name, pixels } of layers) {
      if (pixels !== "redraw" || begun.current.has(id)) continue;
      begun.current.add(id);
      store
        .blobOf({ kind: "layer", name: id })
        .then(redrawPicture)
        .then(
          (bytes) => {
            bridge.post("replaceLayer", { id, bytes });
            note.value = `${name} was converted, so that the service sees it as you do.`;
          },
          () => bridge.post("undrawable", { id }),
        );
    }
  }, [layers]);
}

function factsOf({ width, height, bytes, url, note }: Layer): string {
  const size = width > 0 ? `${width} × ${height}, ${formatBytes(bytes)}` : formatBytes(bytes);
  if (url === "") return note === "" ? size : `${size}, ${note}`;
  if (width > 0) return size;
  return note || (bytes > 0 ? "no preview" : "preview is being read");
}

function roleOf({ isMask }: Layer, index: number): string {
  if (isMask) return "Mask";
  return index === 0 ? "Base" : `Layer ${index}`;
}

/** Shown if a picture exceeds the limits or has an unsupported format. */
function FitButton({ model, layer }: { readonly model: StudioModel; readonly layer: Layer }) {
  const [isBusy, setIsBusy] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const resize = async () => {
    setIsBusy(true);
    try {
      const bytes = await fitPicture(await model.store.blobOf({ kind: "layer", name: layer.id }));
      model.bridge.post("replaceLayer", { id: layer.id, bytes });
      model.note.value = `${layer.name} was converted to fit the limits.`;
    } catch {
      setHasFailed(true);
      model.note.value = `${layer.name} can't be decoded here, so it was not converted.`;
    } finally {
      setIsBusy(false);
    }
  };
  if (layer.conversion === "none") return null;
  if (hasFailed) return <>It can't be decoded here; it may be damaged.</>;
  return (
    <button type="button" class="button" disabled={isBusy} onClick={() => void resize()}>
      {layer.conversion === "fit" ? "Make It Fit" : "Convert"}
    </button>
  );
}
