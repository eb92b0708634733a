import type { ErrorAction } from "./errorActions.ts";

/** What a request makes: a picture from words, one from another, one from several. */
export type Way = "generate" | "edit" | "combine";

/** What the user has set; an empty text leaves a choice to the service. */
export interface StudioDraft {
  readonly prompt: string;
  readonly generateModel: string;
  readonly editModel: string;
  /** Of a picture from words, `1024x1024`. */
  readonly size: string;
  /** Of an edited picture, `16:9`. */
  readonly ratio: string;
  readonly resolution: string;
  readonly format: string;
  readonly quality: string;
  /** `moderation` of a picture from words, `safe_mode` of an edited one. */
  readonly blursAdult: boolean;
  /** `enhance_prompt` of an edited one, where the service has it. */
  readonly enhances: boolean;
  /** Grows with each change, wherever it is made: of two drafts, the one with the greater stamp is the newer. */
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

/** Characters; far more than any model takes. */
export const maxDraftedPrompt = 100_000;

interface ImageModelOption {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** What can be chosen with a model; what it has not is empty and not shown. */
export interface StudioControls {
  /** Characters. */
  readonly promptLimit: number;
  readonly sizes: readonly string[];
  readonly ratios: readonly string[];
  readonly resolutions: readonly string[];
  readonly qualities: readonly string[];
  /** Whether the service may better the prompt. */
  readonly takesEnhancing: boolean;
}

/** The name of every painted mask. */
export const maskName = "Mask";

/** A picture that is to be edited, or a mask over the first one. */
export interface Layer {
  readonly id: string;
  readonly name: string;
  /** Pixels; 0 where they can't be read. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly isMask: boolean;
  /** Why it can't be sent; empty where it can. */
  readonly problem: string;
}

/** One thing done to a mask; coordinates and radius are pixels of the picture. */
export type MaskStep =
  | {
      readonly kind: "brush" | "eraser";
      readonly radius: number;
      readonly points: readonly (readonly [x: number, y: number])[];
    }
  | { readonly kind: "invert" | "all" | "clear" };

/** The mask of a picture. It can be reopened in any window. */
export interface Strokes {
  /** Id of the layer. */
  readonly base: string;
  readonly steps: readonly MaskStep[];
  /** True while it is being painted. */
  readonly isOpen: boolean;
}

/** A request that is under way. */
export interface GenerationRun {
  readonly phase: "waiting" | "receiving" | "saving";
  readonly startedMs: number;
  /** Bytes; `total` is 0 while unknown. */
  readonly received: number;
  readonly total: number;
}

/** What the last request came to. */
export interface GenerationOutcome {
  readonly kind: "kept" | "unsaved" | "blocked" | "failed" | "said";
  readonly text: string;
  /** Name of the picture in the gallery; of one that could not be saved, any. */
  readonly picture: string;
  /** A prompt that the service proposes instead. */
  readonly suggestion: string;
  readonly actions: readonly ErrorAction[];
}

/** What the studio shows; the host works it out, the view draws it. */
export interface StudioState {
  /** Empty while no service is set up. */
  readonly service: string;
  /** The view takes it over where it is newer than the view's own. */
  readonly draft: StudioDraft;
  readonly way: Way;
  readonly models: readonly ImageModelOption[];
  /** Id of the one that is asked. */
  readonly model: string;
  readonly controls: StudioControls;
  readonly layers: readonly Layer[];
  /** How many of them go together, by the model of the listing that takes the most. */
  readonly mostLayers: number;
  /** `$0.04`; empty where the listing names none. */
  readonly price: string;
  /** Why nothing can be sent now; empty where it can. */
  readonly problem: string;
  readonly run: GenerationRun | null;
  readonly outcome: GenerationOutcome | null;
  /** True if *Bring Back* can restore what stood there before *New*. */
  readonly hasEarlier: boolean;
  /** Where pictures are kept, as a path to be read; empty until it was chosen. */
  readonly folder: string;
}

/** What is kept beside a picture. */
export interface PictureFacts {
  readonly prompt: string;
  readonly model: string;
  /** Null where the service names none. */
  readonly seed: number | null;
  /** Null where the listing names no price. */
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
  /** What was chosen beside prompt and model, as it was sent. */
  readonly choices: Readonly<Record<string, string | boolean>>;
  /** Names of the pictures that it was made from. */
  readonly inputs: readonly string[];
}

/** A picture of the gallery. */
export interface GalleryItem {
  readonly name: string;
  readonly facts: PictureFacts | null;
  /** Why there are no facts; empty where there are, or where none were ever kept. */
  readonly note: string;
}
