import { type Signal, signal } from "@preact/signals";
import type { ToStudio } from "../../shared/studioProtocol.ts";
import type { GalleryItem, MaskStep, Strokes, StudioDraft, StudioState } from "../../shared/studioState.ts";
import type { StudioBridge } from "./bridge.ts";
import { createPictureStore, type PictureStore } from "./pictureStore.ts";

/** The gallery: its pictures are loaded in pages as they become visible. */
interface GalleryPages {
  readonly version: number;
  readonly size: number;
  readonly pages: ReadonlyMap<number, readonly GalleryItem[]>;
}

/** The view in place of the grid. */
type OpenedView =
  | { readonly kind: "picture"; readonly name: string }
  | { readonly kind: "compare"; readonly names: readonly [string, string] }
  | undefined;

/** State of the page, with its requests. */
export interface StudioModel {
  readonly bridge: StudioBridge;
  readonly store: PictureStore;
  readonly state: Signal<StudioState | undefined>;
  /** The draft as typed; each change is sent to the host. */
  readonly draft: Signal<StudioDraft | undefined>;
  readonly gallery: Signal<GalleryPages>;
  /** The search text of the gallery. */
  readonly searched: Signal<string>;
  search(words: string): void;
  readonly selected: Signal<readonly string[]>;
  readonly opened: Signal<OpenedView>;
  readonly isPainting: Signal<boolean>;
  /** The strokes painted over this layer before, also in an earlier page. */
  stepsOf(base: string): readonly MaskStep[];
  /** Stores strokes, here and in the host. */
  paint(strokes: Strokes): void;
  /** A notice of the page itself. */
  readonly note: Signal<string>;
  change(draft: Partial<Omit<StudioDraft, "stamp">>): void;
  /** Loads the pages with these pictures, each once. */
  want(from: number, to: number): void;
  itemAt(index: number): GalleryItem | undefined;
  itemOf(name: string): GalleryItem | undefined;
  toggle(name: string): void;
}

const pageItems = 100;

export function createStudioModel(bridge: StudioBridge): StudioModel {
  const store = createPictureStore(bridge);
  const state = signal<StudioState | undefined>(undefined);
  const draft = signal<StudioDraft | undefined>(undefined);
  const gallery = signal<GalleryPages>({ version: 0, size: 0, pages: new Map() });
  const selected = signal<readonly string[]>([]);
  const searched = signal("");
  const opened = signal<OpenedView>(undefined);
  const note = signal("");
  let asked = new Set<number>();
  let strokes = bridge.kept?.mask ?? undefined;
  /** Continues the mask that was being painted, once its base is loaded. */
  const resume = (base: string | undefined) => {
    if (strokes?.isOpen && strokes.base === base) model.isPainting.value = true;
  };

  const setDraft = (next: StudioDraft) => {
    draft.value = next;
    bridge.keep({ prompt: { text: next.prompt, draftStamp: next.stamp } });
  };
  const change = (next: Partial<StudioDraft>, newerThan = 0) => {
    if (!draft.value) return;
    setDraft({ ...draft.value, ...next, stamp: Math.max(draft.value.stamp, newerThan) + 1 });
    bridge.post("draft", { draft: draft.value as never });
  };
  const handleDraft = (received: StudioDraft) => {
    // The host does not have the latest local changes yet.
    if (draft.value && received.stamp <= draft.value.stamp) return;
    const stored = draft.value ? undefined : bridge.kept?.prompt;
    setDraft(received);
    if (stored && stored.draftStamp > received.stamp && stored.text !== received.prompt)
      change({ prompt: stored.text }, stored.draftStamp);
  };

  const handle = (message: ToStudio) => {
    switch (message.type) {
      case "state":
        state.value = message.state;
        handleDraft(message.state.draft);
        resume(message.state.layers[0]?.id);
        break;
      case "gallery":
        asked = new Set();
        // The old version is shown until the new one is loaded.
        gallery.value = { ...gallery.value, version: message.version, size: message.size };
        // A restarted host does not know the search text.
        if (message.version === 1 && searched.value !== "") model.search(searched.value);
        if (message.size > 0) model.want(0, 1);
        break;
      case "items": {
        const { version, size, pages } = gallery.value;
        if (message.version !== version) break;
        const known = new Map([...pages, [message.from / pageItems, message.items]]);
        gallery.value = { version, size, pages: known };
        break;
      }
      case "bytes":
        store.handle(message);
        break;
      case "strokes":
        strokes ??= message.strokes;
        break;
      case "reveal":
        opened.value = { kind: "picture", name: message.name };
        break;
    }
  };
  const model: StudioModel = {
    bridge,
    store,
    state,
    draft,
    gallery,
    searched,
    search(words) {
      searched.value = words.slice(0, 500);
      bridge.post("search", { text: searched.value });
    },
    selected,
    opened,
    isPainting: signal(false),
    stepsOf: (base) => (strokes?.base === base ? strokes.steps : []),
    paint(next) {
      strokes = next;
      bridge.keep({ mask: next });
      bridge.post("strokes", { strokes: next as never });
    },
    note,
    change,
    want(from, to) {
      const { version, size } = gallery.value;
      for (let page = Math.floor(from / pageItems); page * pageItems < Math.min(to, size); page++) {
        if (asked.has(page)) continue;
        asked.add(page);
        bridge.post("items", { version, from: page * pageItems, count: pageItems });
      }
    },
    itemAt: (index) => gallery.value.pages.get(Math.floor(index / pageItems))?.[index % pageItems],
    itemOf: (name) => [...gallery.value.pages.values()].flat().find((item) => item.name === name),
    toggle(name) {
      const others = selected.value.filter((one) => one !== name);
      // At most two can be compared: a third replaces the first.
      selected.value = others.length < selected.value.length ? others : [...others, name].slice(-2);
    },
  };
  bridge.onMessage(handle);
  return model;
}
