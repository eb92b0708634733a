import type { ErrorAction } from "../../shared/errorActions.ts";
import type { TopUp } from "../../shared/money/topUp.ts";

/** Kind of request: a picture from a prompt, from another picture, or from several. */
export type Way = "generate" | "edit" | "combine";

/** The user's input. An empty text leaves the choice to the service. */
export interface StudioDraft {
  readonly prompt: string;
  readonly generateModel: string;
  readonly editModel: string;
  /** Of a generated picture, `1024x1024`. */
  readonly size: string;
  /** Of an edited picture, `16:9`. */
  readonly ratio: string;
  readonly resolution: string;
  readonly format: string;
  readonly quality: string;
  /** `moderation` of a generated picture, `safe_mode` of an edited one. */
  readonly blursAdult: boolean;
  /** `enhance_prompt` of an edited picture, if the service has it. */
  readonly enhances: boolean;
  /** Incremented with each change in any view. Of two drafts, the one with the greater stamp is newer. */
  readonly stamp: number;
}

export const emptyStudioDraft: StudioDraft = {
  prompt: "",
  generateModel: "",
  editModel: "",
  size: "",
  ratio: "",
  resolution: "",
  format: "",
  quality: "",
  blursAdult: true,
  enhances: false,
  stamp: 0,
};

/** Characters of a resolution (spec E5, E13). */
export const maxResolution = 10;

/** Characters; far above the limit of any model. */
export const maxDraftedPrompt = 100_000;

interface ImageModelOption {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** The options of a model. Options that it does not have are empty and not shown. */
export interface StudioControls {
  /** Characters. */
  readonly promptLimit: number;
  readonly sizes: readonly string[];
  readonly ratios: readonly string[];
  /** The listed ones. */
  readonly resolutions: readonly string[];
  /** True if another one may be written, as if none are listed. */
  readonly takesResolution: boolean;
  readonly qualities: readonly string[];
  /** True if the service can improve the prompt. */
  readonly takesEnhancing: boolean;
}

/** The name of every painted mask. */
export const maskName = "Mask";

/** A picture to edit, or a mask for the first one. */
export interface Layer {
  readonly id: string;
  readonly name: string;
  /** Pixels; 0 if unreadable. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly isMask: boolean;
  /** The address that is sent in place of bytes, which the service reads; empty for a file. */
  readonly url: string;
  /** What else is to be known, such as why an address has no preview; empty if there is nothing. */
  readonly note: string;
  /** The reason that it can't be sent; empty if it can. */
  readonly problem: string;
  /** `fit`: the page can scale it to the limits; `convert`: it can draw it as PNG; `none`: there is nothing to do. */
  readonly conversion: "fit" | "convert" | "none";
  readonly pixels: LayerPixels;
}

/**
 * `plain`: every program reads the same pixels. `redraw`: services may not, so the page draws the picture and replaces
 * it by upright RGB pixels. `undrawable`: the page could not.
 */
export type LayerPixels = "plain" | "redraw" | "undrawable";

/** One stroke or other change of a mask. Coordinates and radius are pixels of the picture. */
export type MaskStep =
  | {
      readonly kind: "brush" | "eraser";
      readonly radius: number;
      readonly points: readonly (readonly [x: number, y: number])[];
    }
  /** The area within a line that was drawn around it. */
  | { readonly kind: "lasso"; readonly points: readonly (readonly [x: number, y: number])[] }
  | { readonly kind: "invert" | "all" | "clear" };

/** The mask of a picture. Any window can reopen it. */
export interface Strokes {
  /** Id of the layer. */
  readonly base: string;
  readonly steps: readonly MaskStep[];
  /** The width of the soft edge in pixels of the picture; none if absent. */
  readonly feather?: number | undefined;
  /** True while the mask editor is open. */
  readonly isOpen: boolean;
}

/** A request in progress. */
export interface GenerationRun {
  readonly phase: "waiting" | "receiving" | "saving";
  readonly startedMs: number;
  /** Bytes; `total` is 0 if unknown. */
  readonly received: number;
  readonly total: number;
}

/** Result of the last request. */
export interface GenerationOutcome {
  readonly kind: "kept" | "unsaved" | "blocked" | "failed" | "said";
  readonly text: string;
  /** Name of the picture in the gallery. If it could not be saved, any name. */
  readonly picture: string;
  /** A prompt that the service suggests instead. */
  readonly suggestion: string;
  /** What was wrong with a member of the request, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  readonly actions: readonly ErrorAction[];
  /** How to top up the wallet that could not pay. */
  readonly topUp?: TopUp;
}

/** The state of the studio. The host computes it, the view draws it. */
export interface StudioState {
  /** Empty if no service is set up. */
  readonly service: string;
  /** The view applies it if it is newer than the view's own. */
  readonly draft: StudioDraft;
  readonly way: Way;
  readonly models: readonly ImageModelOption[];
  /** Id of the chosen model. */
  readonly model: string;
  readonly controls: StudioControls;
  readonly layers: readonly Layer[];
  /** The largest number of pictures that any model of the list accepts in one request. */
  readonly mostLayers: number;
  /** `$0.04`; empty if the list states no price. */
  readonly price: string;
  /** The reason that nothing can be sent now; empty if it can. */
  readonly problem: string;
  readonly run: GenerationRun | null;
  readonly outcome: GenerationOutcome | null;
  /** True if *Bring Back* can restore the draft from before *New*. */
  readonly hasEarlier: boolean;
  /** Folder of the pictures, as a path to display; empty until the user has chosen it. */
  readonly folder: string;
}

/** Metadata that is stored with a picture. */
export interface PictureFacts {
  readonly prompt: string;
  readonly model: string;
  /** Null if the service returns none. */
  readonly seed: number | null;
  /** Null if the list states no price. */
  readonly costUsd: number | null;
  /** True for the sandbox's play money. */
  readonly isPlayMoney: boolean;
  /** ISO 8601. */
  readonly at: string;
  readonly way: Way;
  readonly width: number;
  readonly height: number;
  readonly service: string;
  readonly isBlurred: boolean;
  /** Other options than prompt and model, as they were sent. */
  readonly choices: Readonly<Record<string, string | boolean>>;
  /** Names of the pictures that were its input. */
  readonly inputs: readonly string[];
}

/** A picture of the gallery. */
export interface GalleryItem {
  readonly name: string;
  readonly facts: PictureFacts | null;
  /** The reason that the metadata is missing; empty if it exists or was never stored. */
  readonly note: string;
}
