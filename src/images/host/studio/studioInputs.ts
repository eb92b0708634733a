import { emptyStudioDraft, type PictureFacts, type StudioDraft } from "../../protocol/studioState.ts";
import type { StoredLayer } from "./layerStore.ts";
import { createLayers, type Layers } from "./layers.ts";

/** The settings in the studio. Pages and the host change them; the newest change wins. */
interface NewestDraft {
  readonly value: StudioDraft;
  /** The host's own change. */
  change(next: Partial<Omit<StudioDraft, "stamp">>): void;
  /** A change made in a page. */
  handle(from: StudioDraft): void;
}

/** The settings and the pictures to edit: the inputs of the next request. */
export interface StudioInputs {
  readonly draft: NewestDraft;
  readonly layers: Layers;
  /** True if `bringBack` can restore the inputs before `clear`. */
  readonly hasEarlier: boolean;
  /** Starts with an empty prompt and no pictures. */
  clear(): void;
  /** Restores prompt and pictures from before `clear`. Returns false if nothing was cleared. */
  bringBack(): boolean;
  /** Applies the settings with which a picture was made. */
  reuse(facts: PictureFacts): void;
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

export function createStudioInputs(deps: StudioInputsDeps): StudioInputs {
  const layers = createLayers(deps.mostLayers, deps.saveLayers);
  const draft = createNewestDraft(deps.draft, (next) => {
    deps.saveDraft(next);
    deps.onDraft();
  });
  let earlier: { readonly prompt: string; readonly layers: readonly StoredLayer[] } | undefined;
  const replace = (next: NonNullable<typeof earlier>) => {
    layers.clear();
    layers.restore(next.layers);
    deps.saveLayers(layers.all);
    draft.change({ prompt: next.prompt });
  };
  return {
    draft,
    layers,
    get hasEarlier() {
      return earlier !== undefined;
    },
    clear() {
      earlier = { prompt: draft.value.prompt, layers: layers.all };
      replace({ prompt: "", layers: [] });
    },
    bringBack() {
      if (!earlier) return false;
      const next = earlier;
      earlier = undefined;
      replace(next);
      return true;
    },
    reuse: (facts) => draft.change(draftOf(facts)),
  };
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
