import * as z from "zod";
import { parseViewMessage, type ViewMessage } from "../../shared/viewMessage.ts";

// The page imports types alone from here, which keeps zod out of its bundle.

/** A stored result, or a hit of a stored search, as the page shows it. */
export interface ResultRow {
  /** The id of the result, with `#` and the index for a hit. */
  readonly id: string;
  readonly kind: "search" | "hit" | "page" | "document";
  readonly title: string;
  /** `example.org · 2026-01-02`. */
  readonly facts: string;
  /** The beginning of its text, in one line. Empty for a search. */
  readonly excerpt: string;
  /** False for what has no address: nothing to cite, to link to or to read. */
  readonly hasAddress: boolean;
}

/** What the buttons do with the selected rows. */
const actions = ["open", "chat", "cite", "read", "browse", "save", "remove"] as const;
export type ResultAction = (typeof actions)[number];

/** What VS Code keeps of the page, which it destroys while the tab is hidden. */
export interface KeptResults {
  readonly filter?: string;
  readonly selected?: readonly string[];
}

/** Host → page. */
export type ToResultsView =
  /** All rows: each search is followed by its hits. `readPrice` is what reading one page costs. */
  | { readonly v: 1; readonly type: "rows"; readonly rows: readonly ResultRow[]; readonly readPrice: string }
  /** Selects a row and scrolls to it. */
  | { readonly v: 1; readonly type: "show"; readonly id: string };

const id = z.string().min(1).max(100);

/** Page → host, by name. */
const bodies = {
  ready: z.strictObject({}),
  search: z.strictObject({}),
  act: z.strictObject({ action: z.enum(actions), ids: z.array(id).min(1).max(20_000) }),
};

export type FromResultsView = ViewMessage<typeof bodies>;

/** Parses a message of the page; undefined if it is invalid for this version. */
export function parseFromResultsView(message: unknown): FromResultsView | undefined {
  return parseViewMessage(bodies, message);
}
