import { type Signal, signal } from "@preact/signals";
import type { ToStudio } from "../protocol/studioProtocol.ts";
import type { MaskStep, Strokes, StudioDraft, StudioState } from "../protocol/studioState.ts";
import type { StudioBridge } from "./bridge.ts";
import { createPictureGallery, type PictureGallery } from "./gallery/pictureGallery.ts";
import { createPictureStore, type PictureStore } from "./gallery/pictureStore.ts";

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
  readonly gallery: PictureGallery;
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
  toggle(name: string): void;
}

export function createStudioModel(bridge: StudioBridge): StudioModel {
  const store = createPictureStore(bridge);
  const state = signal<StudioState | undefined>(undefined);
  const draft = signal<StudioDraft | undefined>(undefined);
  const gallery = createPictureGallery(bridge);
  const selected = signal<readonly string[]>([]);
  const opened = signal<OpenedView>(undefined);
  const note = signal("");
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
      case "items":
        gallery.handle(message);
        break;
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
    toggle(name) {
      const others = selected.value.filter((one) => one !== name);
      // At most two can be compared: a third replaces the first.
      selected.value = others.length < selected.value.length ? others : [...others, name].slice(-2);
    },
  };
  bridge.onMessage(handle);
  return model;
}
