import { emptyStudioDraft, type PictureFacts, type StudioDraft } from "../../protocol/studioState.ts";
import type { StoredLayer } from "./layers/layerStore.ts";
import { createLayers, type Layers } from "./layers/layers.ts";

/** The settings in the studio. Pages and the host change them; the newest change wins. */
interface NewestDraft {
  readonly value: StudioDraft;
  /** The host's own change. */
  change(next: Partial<Omit<StudioDraft, "stamp">>): void;
  /** A change made in a page. */
  handle(from: StudioDraft): void;
}

export interface StudioInputsDeps {
  /** Of an earlier session. */
  readonly draft: StudioDraft | undefined;
  readonly saveDraft: (draft: StudioDraft) => void;
  readonly saveLayers: (layers: readonly StoredLayer[]) => void;
  readonly mostLayers: () => number;
  /** Called after each change of the settings. */
  readonly onDraft: () => void;
}

/** The inputs before `clear`. */
interface Earlier {
  readonly prompt: string;
  readonly layers: readonly StoredLayer[];
}

/** The settings and the pictures to edit: the inputs of the next request. */
export class StudioInputs {
  readonly #deps: StudioInputsDeps;
  readonly layers: Layers;
  readonly draft: NewestDraft;
  #earlier: Earlier | undefined;

  constructor(deps: StudioInputsDeps) {
    this.#deps = deps;
    this.layers = createLayers(deps.mostLayers, deps.saveLayers);
    this.draft = createNewestDraft(deps.draft, (next) => {
      deps.saveDraft(next);
      deps.onDraft();
    });
  }

  /** True if `bringBack` can restore the inputs before `clear`. */
  get hasEarlier(): boolean {
    return this.#earlier !== undefined;
  }

  /** Starts with an empty prompt and no pictures. */
  clear(): void {
    this.#earlier = { prompt: this.draft.value.prompt, layers: this.layers.all };
    this.#replace({ prompt: "", layers: [] });
  }

  /** Restores prompt and pictures from before `clear`. Returns false if nothing was cleared. */
  bringBack(): boolean {
    if (!this.#earlier) return false;
    const next = this.#earlier;
    this.#earlier = undefined;
    this.#replace(next);
    return true;
  }

  /** Applies the settings with which a picture was made. */
  reuse(facts: PictureFacts): void {
    this.draft.change(draftOf(facts));
  }

  #replace(next: Earlier): void {
    this.layers.clear();
    this.layers.restore(next.layers);
    this.#deps.saveLayers(this.layers.all);
    this.draft.change({ prompt: next.prompt });
  }
}

function createNewestDraft(
  stored: StudioDraft | undefined,
  onChange: (draft: StudioDraft) => void,
): NewestDraft {
  let draft = stored ?? emptyStudioDraft;
  const set = (next: StudioDraft) => {
    draft = next;
    onChange(draft);
  };
  return {
    get value() {
      return draft;
    },
    change: (next) => set({ ...draft, ...next, stamp: draft.stamp + 1 }),
    // The text typed last wins: a page that has not received a newer draft yet gets its own back as the newest.
    handle: (from) => set({ ...from, stamp: from.stamp < draft.stamp ? draft.stamp + 1 : from.stamp }),
  };
}

/** The studio settings with which a picture was made, without its input pictures. */
function draftOf({ choices, model, prompt, way }: PictureFacts): Partial<StudioDraft> {
  const text = (member: string) => String(choices[member] ?? "");
  return {
    prompt,
    ...(way === "generate" ? { generateModel: model } : { editModel: model }),
    size: text("size"),
    ratio: text("aspect_ratio"),
    resolution: text("resolution"),
    quality: text("quality"),
    format: text("output_format"),
    enhances: choices.enhance_prompt === true,
    blursAdult: choices.moderation !== "low" && choices.safe_mode !== false,
  };
}
