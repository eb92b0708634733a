import * as z from "zod";

// The view imports types alone from here, which keeps zod out of its bundle.

const id = z.string().min(1).max(200);

/** What the list of conversations asks of its host. */
export const HistoryRequest = z.discriminatedUnion("ask", [
  /** Some of what the query finds, all for an empty one; the host tells of changes from then on. */
  z.strictObject({
    ask: z.literal("page"),
    query: z.string().max(1000),
    from: z.int().min(0),
    count: z.int().min(1).max(200),
  }),
  /** The list is out of sight. */
  z.strictObject({ ask: z.literal("leave") }),
  z.strictObject({ ask: z.literal("open"), id }),
  z.strictObject({ ask: z.literal("pin"), id, pinned: z.boolean() }),
  /** An empty title gives it the one of its first question again. */
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
  /** It is the one that is shown. */
  readonly isOpen: boolean;
  /** Where the words of a query stand in the title: first character, and the one after the last. */
  readonly titleMarks?: readonly (readonly [number, number])[];
  /** What was found in its messages. */
  readonly snippet?: { readonly text: string; readonly marks: readonly (readonly [number, number])[] };
}

/** A stretch of the list under one heading. */
export interface HistoryFolder {
  readonly title: string;
  readonly count: number;
}

/** What the host tells the list. */
export type HistoryNews =
  /** Come into sight. */
  | { readonly say: "show" }
  /** What was sent before may not hold any more. */
  | { readonly say: "changed" }
  | {
      readonly say: "page";
      readonly query: string;
      readonly from: number;
      readonly rows: readonly HistoryRow[];
      /** Of all that is found. */
      readonly total: number;
      readonly folders: readonly HistoryFolder[];
      /** False while some conversations have not been looked at yet. */
      readonly isComplete: boolean;
    };
