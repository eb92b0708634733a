import * as z from "zod";
import { maxHandedBytes } from "./chatAttachments.ts";
import { errorActionIds } from "./errorActions.ts";
import { maxLayers } from "./imageBounds.ts";
import { type GalleryItem, maxDraftedPrompt, type Strokes, type StudioState } from "./studioState.ts";
import { parseViewMessage, type ViewMessage } from "./viewMessage.ts";

// The view imports types alone from here, which keeps zod out of its bundle.

/** Bytes that the view asks for, by what they show; a source is a picture of which a thumbnail is to be made. */
export type BytesOf = { readonly kind: "layer" | "picture" | "thumb" | "source"; readonly name: string };

/** Host → view. */
export type ToStudio =
  | { readonly v: 1; readonly type: "state"; readonly state: StudioState }
  /** The gallery has changed: what was read of an older version no longer counts. */
  | { readonly v: 1; readonly type: "gallery"; readonly version: number; readonly size: number }
  | {
      readonly v: 1;
      readonly type: "items";
      readonly version: number;
      readonly from: number;
      readonly items: readonly GalleryItem[];
    }
  /** Null where they can't be read; for a thumbnail, where none is kept yet: the view makes it. */
  | {
      readonly v: 1;
      readonly type: "bytes";
      readonly of: BytesOf;
      readonly data: Uint8Array<ArrayBuffer> | null;
    }
  /** Strokes from before a reload of the page. */
  | { readonly v: 1; readonly type: "strokes"; readonly strokes: Strokes }
  /** Opens the picture of this name in the gallery. */
  | { readonly v: 1; readonly type: "reveal"; readonly name: string };

const short = z.string().max(200);
const name = z.string().min(1).max(500);
/** Of a file in the folder of the pictures: no way leads out of it. */
const fileName = name.regex(/^[^/\\]+$/).refine((text) => text !== "." && text !== "..");
const bytes = z
  .union([z.instanceof(ArrayBuffer).transform((buffer) => new Uint8Array(buffer)), z.instanceof(Uint8Array)])
  .refine((data) => data.byteLength <= maxHandedBytes, "too large");

const DraftSchema = z.strictObject({
  prompt: z.string().max(maxDraftedPrompt),
  generateModel: short,
  editModel: short,
  size: short,
  ratio: short,
  resolution: short,
  format: z.enum(["", "png", "jpeg", "webp"]),
  quality: z.enum(["", "low", "medium", "high"]),
  blursAdult: z.boolean(),
  // Drafts of earlier versions have none.
  enhances: z.boolean().default(false),
  // What was kept before there were stamps is older than all else.
  stamp: z.int().min(0).default(0),
});

/** What a page kept of an earlier session; undefined where it is none. */
export function parseDraft(stored: unknown): z.output<typeof DraftSchema> | undefined {
  const parsed = DraftSchema.safeParse(stored);
  return parsed.success ? parsed.data : undefined;
}

const point = z.tuple([z.number(), z.number()]);
const StrokesSchema = z.strictObject({
  base: name,
  steps: z
    .array(
      z.union([
        z.strictObject({
          kind: z.enum(["brush", "eraser"]),
          radius: z.number().positive(),
          points: z.array(point).min(1).max(100_000),
        }),
        z.strictObject({ kind: z.enum(["invert", "all", "clear"]) }),
      ]),
    )
    .max(10_000),
  isOpen: z.boolean(),
});

/** Reads kept strokes; undefined if they are invalid. */
export function parseStrokes(stored: unknown): Strokes | undefined {
  const parsed = StrokesSchema.safeParse(stored);
  return parsed.success ? parsed.data : undefined;
}

/** View → host, by name. */
const bodies = {
  ready: z.strictObject({}),
  draft: z.strictObject({ draft: DraftSchema }),
  make: z.strictObject({}),
  stop: z.strictObject({}),
  dismiss: z.strictObject({}),
  act: z.strictObject({ action: z.enum(errorActionIds) }),
  useSuggestion: z.strictObject({}),
  /** Writes into the gallery what could not be written before. */
  saveAgain: z.strictObject({}),
  chooseFolder: z.strictObject({}),
  addFiles: z.strictObject({}),
  addUris: z.strictObject({ uris: z.array(z.string().max(4000)).min(1).max(maxLayers) }),
  addBytes: z.strictObject({ name, bytes }),
  addPicture: z.strictObject({ name: fileName }),
  /** After each stroke: what is painted outlives the page and the window. */
  strokes: z.strictObject({ strokes: StrokesSchema }),
  /** Empties words, pictures and mask, and brings them back. */
  new: z.strictObject({}),
  bringBack: z.strictObject({}),
  /** Shows the pictures alone whose words, model or name hold this. */
  search: z.strictObject({ text: z.string().max(500) }),
  /** A painted mask: PNG of the size of the first layer, in place of the mask that is there. */
  mask: z.strictObject({ bytes }),
  /** A layer made fit, or in another format. */
  replaceLayer: z.strictObject({ id: name, bytes }),
  removeLayer: z.strictObject({ id: name }),
  moveLayer: z.strictObject({
    id: name,
    to: z
      .int()
      .min(0)
      .max(maxLayers - 1),
  }),
  items: z.strictObject({ version: z.int(), from: z.int().min(0), count: z.int().min(1).max(500) }),
  want: z.strictObject({
    of: z.strictObject({ kind: z.enum(["layer", "picture", "thumb", "source"]), name: fileName }),
  }),
  thumb: z.strictObject({ name: fileName, bytes }),
  copy: z.strictObject({ name: fileName, as: z.enum(["path", "markdown"]) }),
  insert: z.strictObject({ name: fileName, as: z.enum(["markdown", "html"]) }),
  saveAs: z.strictObject({ name: fileName }),
  openPicture: z.strictObject({ name: fileName }),
  reuse: z.strictObject({ name: fileName }),
  remove: z.strictObject({ name: fileName }),
};

export type FromStudio = ViewMessage<typeof bodies>;

/** What the studio said; undefined where it is nothing that a view of this version says. */
export function parseFromStudio(message: unknown): FromStudio | undefined {
  return parseViewMessage(bodies, message);
}
