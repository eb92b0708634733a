import { emptyStudioDraft, type StudioDraft } from "../../shared/studioState.ts";

/** What is set in the studio: pages and the host change it, and the newest holds. */
export interface NewestDraft {
  readonly value: StudioDraft;
  /** The host's own change. */
  change(next: Partial<Omit<StudioDraft, "stamp">>): void;
  /** What was set in a page. */
  handle(from: StudioDraft): void;
}

/** `kept` is of an earlier session; `onChange` is told of each that comes after it. */
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
    // A page that has yet to hear of a newer draft is told of its own as the newest: what was typed last holds.
    handle: (from) => set({ ...from, stamp: from.stamp < draft.stamp ? draft.stamp + 1 : from.stamp }),
  };
}
