import { type ReadonlySignal, signal } from "@preact/signals";
import { PageRequests } from "../../../webview/ui/pageRequests.ts";
import { type ListLayout, rowsBetween } from "../../../webview/ui/virtualList.ts";
import type { ToStudio } from "../../protocol/studioProtocol.ts";
import type { GalleryItem } from "../../protocol/studioState.ts";
import type { StudioBridge } from "../bridge.ts";

interface GalleryPages {
  readonly version: number;
  readonly size: number;
  readonly pages: ReadonlyMap<number, readonly GalleryItem[]>;
}

const pageItems = 100;

/** The pictures of the folder, which are loaded in pages as they become visible. */
export class PictureGallery {
  readonly #bridge: StudioBridge;
  readonly #list = signal<GalleryPages>({ version: 0, size: 0, pages: new Map() });
  readonly #searched = signal("");
  readonly #requests = new PageRequests({
    length: pageItems,
    request: (from, count) => this.#bridge.post("items", { version: this.#list.value.version, from, count }),
  });
  readonly list: ReadonlySignal<GalleryPages> = this.#list;
  /** The search text. */
  readonly searched: ReadonlySignal<string> = this.#searched;

  constructor(bridge: StudioBridge) {
    this.#bridge = bridge;
  }

  search(words: string): void {
    this.#searched.value = words.slice(0, 500);
    this.#bridge.post("search", { text: this.#searched.value });
  }

  /** Loads the pages with these pictures, each once. */
  want(from: number, to: number): void {
    this.#requests.need(from, Math.min(to, this.#list.value.size));
  }

  itemAt(index: number): GalleryItem | undefined {
    return this.#list.value.pages.get(Math.floor(index / pageItems))?.[index % pageItems];
  }

  itemOf(name: string): GalleryItem | undefined {
    return [...this.#list.value.pages.values()].flat().find((item) => item.name === name);
  }

  handle(message: Extract<ToStudio, { readonly type: "gallery" | "items" }>): void {
    const { version, size, pages } = this.#list.value;
    if (message.type === "gallery") {
      this.#requests.clear();
      // The old version is shown until the new one is loaded.
      this.#list.value = { version: message.version, size: message.size, pages };
      // A restarted host does not know the search text.
      if (message.version === 1 && this.#searched.value !== "") this.search(this.#searched.value);
      if (message.size > 0) this.want(0, 1);
    } else if (message.version === version) {
      const loaded = new Map([...pages, [message.from / pageItems, message.items]]);
      this.#list.value = { version, size, pages: loaded };
    }
  }
}

/** Layout of the gallery: square cells in rows. Lengths are CSS pixels. */
export interface GridLayout extends ListLayout {
  readonly columns: number;
  readonly rows: number;
  /** Width and height of a cell. */
  readonly cellPx: number;
}

const gapPx = 8;
const wideFromPx = 420;
/** Rows rendered above and below the visible ones. */
const spareRows = 1;

export function gridLayoutOf(widthPx: number, size: number): GridLayout {
  const wantedPx = widthPx < wideFromPx ? 96 : 144;
  const columns = Math.max(1, Math.floor((widthPx + gapPx) / (wantedPx + gapPx)));
  const cellPx = Math.max(1, Math.floor((widthPx - gapPx * (columns - 1)) / columns));
  const rowPx = cellPx + gapPx;
  const rows = Math.ceil(size / columns);
  return { columns, rows, rowPx, cellPx, heightPx: Math.max(0, rows * rowPx - gapPx) };
}

/** The range of rendered pictures between two offsets: `to` is exclusive. */
export function visiblePictures(
  { columns, rows, rowPx }: GridLayout,
  size: number,
  fromPx: number,
  toPx: number,
): { readonly from: number; readonly to: number; readonly atPx: number } {
  const { from: first, to: end } = rowsBetween({ rowPx, count: rows }, fromPx, toPx, spareRows);
  return { from: first * columns, to: Math.min(size, end * columns), atPx: first * rowPx };
}
