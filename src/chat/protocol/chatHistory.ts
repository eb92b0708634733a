import * as z from "zod";

// The view imports types alone from here, which keeps zod out of its bundle.

const id = z.string().min(1).max(200);

/** Requests of the list of conversations to the host. */
export const HistoryRequest = z.discriminatedUnion("ask", [
  /** A part of the results, of all conversations for an empty query. The host then also sends changes. */
  z.strictObject({
    ask: z.literal("page"),
    query: z.string().max(1000),
    from: z.int().min(0),
    count: z.int().min(1).max(200),
  }),
  /** The list is no longer visible. */
  z.strictObject({ ask: z.literal("leave") }),
  z.strictObject({ ask: z.literal("open"), id }),
  z.strictObject({ ask: z.literal("pin"), id, pinned: z.boolean() }),
  /** An empty title restores the default, which is taken from the first question. */
  z.strictObject({ ask: z.literal("rename"), id, title: z.string().max(1000) }),
  z.strictObject({ ask: z.literal("remove"), id }),
  z.strictObject({ ask: z.literal("restore"), id }),
  z.strictObject({ ask: z.literal("export"), id }),
  z.strictObject({ ask: z.literal("import") }),
]);
export type HistoryRequest = z.infer<typeof HistoryRequest>;

/** One conversation in the list. */
export interface HistoryRow {
  readonly id: string;
  readonly title: string;
  /** Unix time in milliseconds. */
  readonly updatedAtMs: number;
  readonly pinned: boolean;
  readonly messageCount: number;
  readonly model?: string;
  readonly workspace?: string;
  /** True for the conversation that is open. */
  readonly isOpen: boolean;
  /** Matches in the title: index of the first character, and of the one after the last. */
  readonly titleMarks?: readonly (readonly [number, number])[];
  /** The match in its messages. */
  readonly snippet?: { readonly text: string; readonly marks: readonly (readonly [number, number])[] };
}

/** Consecutive rows under one heading. */
export interface HistoryFolder {
  readonly title: string;
  readonly count: number;
}

/** Messages of the host to the list. */
export type HistoryNews =
  /** The list became visible. */
  | { readonly say: "show" }
  /** Earlier results may be outdated. */
  | { readonly say: "changed" }
  | {
      readonly say: "page";
      readonly query: string;
      readonly from: number;
      readonly rows: readonly HistoryRow[];
      /** The number of all results. */
      readonly total: number;
      readonly folders: readonly HistoryFolder[];
      /** False while some conversations have not been searched. */
      readonly isComplete: boolean;
    };
