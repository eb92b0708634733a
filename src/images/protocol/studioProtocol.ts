import * as z from "zod";
import { maxHandedBytes } from "../../shared/chat/chatAttachments.ts";
import { errorActionIds } from "../../shared/errorActions.ts";
import { maxLayers } from "../../shared/images/imageBounds.ts";
import { parseViewMessage, type ViewMessage } from "../../shared/viewMessage.ts";
import { type GalleryItem, maxDraftedPrompt, type Strokes, type StudioState } from "./studioState.ts";

// The view imports types alone from here, which keeps zod out of its bundle.

/** Bytes that the view requests, by their use; `source` is a picture from which the view makes a thumbnail. */
export type BytesOf = { readonly kind: "layer" | "picture" | "thumb" | "source"; readonly name: string };

/** Host → view. */
export type ToStudio =
  | { readonly v: 1; readonly type: "state"; readonly state: StudioState }
  /** The gallery has changed: content of an older version is outdated. */
  | { readonly v: 1; readonly type: "gallery"; readonly version: number; readonly size: number }
  | {
      readonly v: 1;
      readonly type: "items";
      readonly version: number;
      readonly from: number;
      readonly items: readonly GalleryItem[];
    }
  /** Null if they can't be read. Null for a thumbnail that does not exist: the view makes it. */
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
/** A file name in the folder of the pictures, without any path. */
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
  // Absent in drafts of earlier versions.
  enhances: z.boolean().default(false),
  // Absent in drafts from before stamps, which are the oldest.
  stamp: z.int().min(0).default(0),
});

/** Parses a draft that a page stored in an earlier session; undefined if it is invalid. */
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
        z.strictObject({ kind: z.literal("lasso"), points: z.array(point).min(1).max(100_000) }),
        z.strictObject({ kind: z.enum(["invert", "all", "clear"]) }),
      ]),
    )
    .max(10_000),
  feather: z.number().min(0).max(10_000).optional(),
  isOpen: z.boolean(),
});

/** Parses stored strokes; undefined if they are invalid. */
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
  /** Retries to save a picture to the gallery. */
  saveAgain: z.strictObject({}),
  chooseFolder: z.strictObject({}),
  addFiles: z.strictObject({}),
  addUris: z.strictObject({ uris: z.array(z.string().max(4000)).min(1).max(maxLayers) }),
  /** A picture by its web address; without one the editor asks for it. */
  addAddress: z.strictObject({ url: z.string().max(10_000) }),
  addBytes: z.strictObject({ name, bytes }),
  addPicture: z.strictObject({ name: fileName }),
  /** Sent after each stroke, so that the mask survives a reload of page or window. */
  strokes: z.strictObject({ strokes: StrokesSchema }),
  /** Clears prompt, pictures and mask, and restores them. */
  new: z.strictObject({}),
  bringBack: z.strictObject({}),
  /** Filters the gallery by prompt, model or name. */
  search: z.strictObject({ text: z.string().max(500) }),
  /** A painted mask: a PNG of the size of the first layer, which replaces the current mask. */
  mask: z.strictObject({ bytes }),
  /** A layer that was resized, turned upright or converted. */
  replaceLayer: z.strictObject({ id: name, bytes }),
  /** A layer that was to be redrawn can't be drawn. */
  undrawable: z.strictObject({ id: name }),
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

/** Parses a message of the studio; undefined if it is invalid for this version. */
export function parseFromStudio(message: unknown): FromStudio | undefined {
  return parseViewMessage(bodies, message);
}
