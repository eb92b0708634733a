import { emptyStudioDraft, type PictureFacts, type StudioDraft } from "../../shared/studioState.ts";

/** The settings in the studio. Pages and the host change them; the newest change wins. */
export interface NewestDraft {
  readonly value: StudioDraft;
  /** The host's own change. */
  change(next: Partial<Omit<StudioDraft, "stamp">>): void;
  /** A change made in a page. */
  handle(from: StudioDraft): void;
}

/** `stored` is of an earlier session; `onChange` is called with each later draft. */
export function createNewestDraft(
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
export function draftOf({ choices, model, prompt, way }: PictureFacts): Partial<StudioDraft> {
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
