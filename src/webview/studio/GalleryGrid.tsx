import { useEffect, useRef, useState } from "preact/hooks";
import type { GalleryItem } from "../../shared/studioState.ts";
import { gridLayoutOf, moveTo, scrollFor, visiblePictures } from "./gridLayout.ts";
import { usePicture } from "./pictureStore.ts";
import type { StudioModel } from "./studioModel.ts";

/** All pictures of the folder; only the visible ones are in the DOM. */
export function GalleryGrid({
  model,
  isHidden,
}: {
  readonly model: StudioModel;
  readonly isHidden: boolean;
}) {
  const { size, version } = model.gallery.value;
  const selected = model.selected.value;
  const scroller = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState({ width: 600, height: 600 });
  const [firstRow, setFirstRow] = useState(0);
  const [active, setActive] = useState(0);
  const layout = gridLayoutOf(box.width, size);
  const { from, to, atPx } = visiblePictures(
    layout,
    size,
    firstRow * layout.stepPx,
    box.height + layout.stepPx,
  );
  const current = Math.min(active, Math.max(0, size - 1));

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = new ResizeObserver(() => {
      // A hidden grid has no size, so it keeps the last one.
      if (element.clientWidth > 0) setBox({ width: element.clientWidth, height: element.clientHeight });
    });
    measure.observe(element);
    return () => measure.disconnect();
  }, [size > 0]);
  const follow = () => setFirstRow(Math.floor((scroller.current?.scrollTop ?? 0) / layout.stepPx));
  // A changed row height changes the visible range.
  useEffect(follow, [layout.stepPx]);
  useEffect(() => model.want(from, to), [from, to, version]);

  const open = (item: GalleryItem | undefined) => {
    if (item) model.opened.value = { kind: "picture", name: item.name };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const rowsInView = Math.floor(box.height / layout.stepPx);
    const target = moveTo(event.key, current, layout, size, rowsInView);
    const item = model.itemAt(current);
    if (target !== undefined) {
      setActive(target);
      const element = scroller.current;
      const top = element && scrollFor(target, layout, element.scrollTop, element.clientHeight);
      if (element && top !== undefined && top !== null) element.scrollTop = top;
    } else if (event.key === "Enter") open(item);
    else if (event.key === " " && item) model.toggle(item.name);
    else if (event.key === "Delete" && item) model.bridge.post("remove", { name: item.name });
    else return;
    event.preventDefault();
  };
  // The list has the focus; aria-activedescendant names the active picture.
  const list = {
    role: "listbox",
    tabIndex: 0,
    "aria-label": "Gallery. Enter opens a picture, space selects it to be compared.",
    "aria-multiselectable": true,
    "aria-activedescendant": `picture-${current}`,
    onKeyDown,
  } as const;
  return (
    <div class="gallery" hidden={isHidden}>
      <GalleryHead model={model} />
      {size > 0 && (
        <div
          ref={scroller}
          class="scroller"
          {...list}
          onScroll={() => {
            model.store.moving();
            // Rendered once per row, not per pixel.
            follow();
          }}
        >
          <div class="sheet" style={{ height: `${layout.tallPx}px` }}>
            <div
              class="window"
              style={{
                transform: `translateY(${atPx}px)`,
                gridTemplateColumns: `repeat(${layout.columns}, ${layout.cellPx}px)`,
                gridAutoRows: `${layout.cellPx}px`,
              }}
            >
              {Array.from({ length: Math.max(0, to - from) }, (_, offset) => {
                const index = from + offset;
                const item = model.itemAt(index);
                return (
                  <Cell
                    key={item?.name ?? index}
                    {...{ model, index, item, size }}
                    isActive={index === current}
                    isSelected={item !== undefined && selected.includes(item.name)}
                    onOpen={() => {
                      setActive(index);
                      open(item);
                    }}
                  />
                );
              })}
            </div>
          </div>
        </div>
      )}
    </div>
  );
}

function GalleryHead({ model }: { readonly model: StudioModel }) {
  const { size } = model.gallery.value;
  const [first, second] = model.selected.value;
  const folder = model.state.value?.folder ?? "";
  const words = model.searched.value;
  const found = words.trim() === "" ? "" : " found";
  const count = `${size.toLocaleString("en-US")} ${size === 1 ? "picture" : "pictures"}${found}`;
  return (
    <header>
      <h2>Gallery</h2>
      <span class="quiet" role="status">
        {folder === "" ? "No folder is chosen yet" : `${count} in ${folder}`}
      </span>
      <span class="grow" />
      {folder !== "" && (
        <input
          type="search"
          class="search"
          aria-label="Search the gallery"
          placeholder="Search"
          title="Finds words in prompts, models and names"
          value={words}
          onInput={({ currentTarget }) => model.search(currentTarget.value)}
        />
      )}
      {first !== undefined && second !== undefined && (
        <button
          type="button"
          class="button primary"
          onClick={() => {
            model.opened.value = { kind: "compare", names: [first, second] };
          }}
        >
          Compare
        </button>
      )}
      <button type="button" class="button" onClick={() => model.bridge.post("chooseFolder", {})}>
        {folder === "" ? "Choose Folder…" : "Change Folder…"}
      </button>
    </header>
  );
}

interface CellProps {
  readonly model: StudioModel;
  readonly index: number;
  readonly size: number;
  readonly item: GalleryItem | undefined;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onOpen: () => void;
}

function Cell({ model, index, size, item, isActive, isSelected, onOpen }: CellProps) {
  const label = item ? (item.facts?.prompt ?? item.name) : "Loading…";
  const option = {
    role: "option",
    id: `picture-${index}`,
    "aria-label": item?.facts?.isBlurred ? `${label} (blurred by the service)` : label,
    "aria-selected": isSelected,
    "aria-setsize": size,
    "aria-posinset": index + 1,
    onClick: onOpen,
  } as const;
  return (
    <div class={`cell${isActive ? " active" : ""}${isSelected ? " selected" : ""}`} title={label} {...option}>
      {item && <Thumb model={model} name={item.name} />}
      {item?.facts?.isBlurred && <span class="badge" />}
      {item && (
        <span
          class="mark"
          aria-hidden="true"
          title="Select to compare"
          onClick={(event) => {
            event.stopPropagation();
            model.toggle(item.name);
          }}
        />
      )}
    </div>
  );
}

function Thumb({ model, name }: { readonly model: StudioModel; readonly name: string }) {
  const url = usePicture(model.store, "thumb", name);
  if (url === null) return <span class="no-picture">No picture</span>;
  return url === undefined ? null : <img src={url} alt="" decoding="async" draggable={false} />;
}
