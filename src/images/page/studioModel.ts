import { signal } from "@preact/signals";
import type { ToStudio } from "../protocol/studioProtocol.ts";
import type { MaskStep, Strokes, StudioDraft, StudioState } from "../protocol/studioState.ts";
import type { StudioBridge } from "./bridge.ts";
import { PictureGallery } from "./gallery/pictureGallery.ts";
import { PictureStore } from "./gallery/pictureStore.ts";

/** The view in place of the grid. */
type OpenedView =
  | { readonly kind: "picture"; readonly name: string }
  | { readonly kind: "compare"; readonly names: readonly [string, string] }
  | undefined;

/** State of the page, with its requests. */
export class StudioModel {
  readonly bridge: StudioBridge;
  readonly store: PictureStore;
  readonly state = signal<StudioState | undefined>(undefined);
  /** The draft as typed; each change is sent to the host. */
  readonly draft = signal<StudioDraft | undefined>(undefined);
  readonly gallery: PictureGallery;
  readonly selected = signal<readonly string[]>([]);
  readonly opened = signal<OpenedView>(undefined);
  /** A notice of the page itself. */
  readonly note = signal("");
  #strokes: Strokes | undefined;
  readonly isPainting = signal(false);

  constructor(bridge: StudioBridge) {
    this.bridge = bridge;
    this.store = new PictureStore(bridge);
    this.gallery = new PictureGallery(bridge);
    this.#strokes = bridge.kept?.mask ?? undefined;
    bridge.onMessage((message) => this.#handle(message));
  }

  /** The strokes painted over this layer before, also in an earlier page. */
  stepsOf(base: string): readonly MaskStep[] {
    return this.#strokes?.base === base ? this.#strokes.steps : [];
  }

  /** The soft edge of that mask, in pixels. */
  featherOf(base: string): number {
    return this.#strokes?.base === base ? (this.#strokes.feather ?? 0) : 0;
  }

  /** Stores strokes, here and in the host. */
  paint(next: Strokes): void {
    this.#strokes = next;
    this.bridge.keep({ mask: next });
    this.bridge.post("strokes", { strokes: next as never });
  }

  change(next: Partial<Omit<StudioDraft, "stamp">>, newerThan = 0): void {
    if (!this.draft.value) return;
    this.#setDraft({ ...this.draft.value, ...next, stamp: Math.max(this.draft.value.stamp, newerThan) + 1 });
    this.bridge.post("draft", { draft: this.draft.value as never });
  }

  toggle(name: string): void {
    const others = this.selected.value.filter((one) => one !== name);
    // At most two can be compared: a third replaces the first.
    this.selected.value = others.length < this.selected.value.length ? others : [...others, name].slice(-2);
  }

  /** Continues the mask that was being painted, once its base is loaded. */
  #resume(base: string | undefined): void {
    if (this.#strokes?.isOpen && this.#strokes.base === base) this.isPainting.value = true;
  }

  /** Pictures come from the editor, the gallery and the clipboard, and are seen far from there. */
  #sayAdded({ layers }: StudioState): void {
    const before = this.state.value?.layers;
    if (!before || layers.length <= before.length) return;
    const added = layers.filter(({ id, isMask }) => !isMask && before.every((each) => each.id !== id));
    const [first] = added;
    if (!first) return;
    const what = added.length === 1 ? `${first.name} was` : `${added.length} pictures were`;
    this.note.value = `${what} added to the pictures to edit.`;
  }

  #setDraft(next: StudioDraft): void {
    this.draft.value = next;
    this.bridge.keep({ prompt: { text: next.prompt, draftStamp: next.stamp } });
  }

  #handleDraft(received: StudioDraft): void {
    // The host does not have the latest local changes yet.
    if (this.draft.value && received.stamp <= this.draft.value.stamp) return;
    const stored = this.draft.value ? undefined : this.bridge.kept?.prompt;
    this.#setDraft(received);
    if (stored && stored.draftStamp > received.stamp && stored.text !== received.prompt)
      this.change({ prompt: stored.text }, stored.draftStamp);
  }

  #handle(message: ToStudio): void {
    switch (message.type) {
      case "state":
        this.#sayAdded(message.state);
        this.state.value = message.state;
        this.#handleDraft(message.state.draft);
        this.#resume(message.state.layers[0]?.id);
        break;
      case "gallery":
      case "items":
        this.gallery.handle(message);
        break;
      case "bytes":
        this.store.handle(message);
        break;
      case "strokes":
        this.#strokes ??= message.strokes;
        break;
      case "reveal":
        this.opened.value = { kind: "picture", name: message.name };
        break;
    }
  }
}
