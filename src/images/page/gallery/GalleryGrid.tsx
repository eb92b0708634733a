import { useEffect, useState } from "preact/hooks";
import { type OptionAttributes, useListbox } from "../../../webview/ui/listbox.ts";
import { useVirtualList } from "../../../webview/ui/virtualList.ts";
import type { GalleryItem } from "../../protocol/studioState.ts";
import type { StudioModel } from "../studioModel.ts";
import { gridLayoutOf, visiblePictures } from "./pictureGallery.ts";
import { usePicture } from "./pictureStore.ts";

interface GalleryProps {
  readonly model: StudioModel;
  readonly isHidden: boolean;
}

/** All pictures of the folder. */
export function GalleryGrid({ model, isHidden }: GalleryProps) {
  return (
    <div class="gallery" hidden={isHidden}>
      <GalleryHead model={model} />
      {model.gallery.list.value.size > 0 && <Pictures model={model} />}
    </div>
  );
}

/** The listbox has the focus; aria-activedescendant names the active picture. Only visible pictures are in the DOM. */
function Pictures({ model }: { readonly model: StudioModel }) {
  const { size, version } = model.gallery.list.value;
  const selected = model.selected.value;
  const [chosen, setActive] = useState(0);
  const active = Math.min(chosen, size - 1);
  const view = useVirtualList((widthPx) => gridLayoutOf(widthPx, size));
  const { columns, cellPx, rowPx } = view.layout;
  const { from, to, atPx } = visiblePictures(view.layout, size, view.fromPx, view.toPx);
  useEffect(() => model.gallery.want(from, to), [from, to, version]);
  const listbox = useListbox({
    count: size,
    columns,
    rowsPerPage: view.rowsInView,
    active,
    onMove(index) {
      setActive(index);
      const topPx = Math.floor(index / columns) * rowPx;
      view.reveal(topPx, topPx + cellPx);
    },
  });
  const open = (item: GalleryItem | undefined) => {
    if (item) model.opened.value = { kind: "picture", name: item.name };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (listbox.handle(event)) return;
    const item = model.gallery.itemAt(active);
    if (event.key === "Enter") open(item);
    else if (event.key === " " && item) model.toggle(item.name);
    else if (event.key === "Delete" && item) model.bridge.post("remove", { name: item.name });
    else return;
    event.preventDefault();
  };
  const list = {
    role: "listbox",
    id: listbox.id,
    tabIndex: 0,
    "aria-label": "Gallery. Enter opens a picture, space selects it to be compared.",
    "aria-multiselectable": true,
    "aria-activedescendant": listbox.activeId,
    onKeyDown,
    onScroll() {
      model.store.moving();
      view.onScroll();
    },
  } as const;
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  const cells = {
    transform: `translateY(${view.toSheet(atPx)}px)`,
    gridTemplateColumns: `repeat(${columns}, ${cellPx}px)`,
    gridAutoRows: `${cellPx}px`,
  };
  return (
    <div ref={view.scroller} class="scroller" {...list}>
      <div class="sheet" style={{ height: `${view.sheetPx}px` }}>
        <div class="window" style={cells}>
          {indexes.map((index) => {
            const item = model.gallery.itemAt(index);
            return (
              <Cell
                key={item?.name ?? index}
                {...{ model, index, item, size }}
                option={listbox.option(index, () => {
                  setActive(index);
                  open(item);
                })}
                isActive={index === active}
                isSelected={item !== undefined && selected.includes(item.name)}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function GalleryHead({ model }: { readonly model: StudioModel }) {
  const { size } = model.gallery.list.value;
  const [first, second] = model.selected.value;
  const folder = model.state.value?.folder ?? "";
  const words = model.gallery.searched.value;
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
          onInput={({ currentTarget }) => model.gallery.search(currentTarget.value)}
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
  readonly option: OptionAttributes;
  readonly isActive: boolean;
  readonly isSelected: boolean;
}

function Cell({ model, index, size, item, option, isActive, isSelected }: CellProps) {
  const label = item ? (item.facts?.prompt ?? item.name) : "Loading…";
  const attributes = {
    ...option,
    "aria-label": item?.facts?.isBlurred ? `${label} (blurred by the service)` : label,
    "aria-selected": isSelected,
    "aria-setsize": size,
    "aria-posinset": index + 1,
  } as const;
  return (
    <div
      class={`cell${isActive ? " active" : ""}${isSelected ? " selected" : ""}`}
      title={label}
      {...attributes}
    >
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
