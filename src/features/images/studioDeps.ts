import type { ToStudio } from "../../shared/studioProtocol.ts";
import type { StudioDraft } from "../../shared/studioState.ts";
import type { Gallery } from "./gallery.ts";
import type { ImageSchemas } from "./imageSchemas.ts";
import type { StoredLayer } from "./layerStore.ts";
import type { ImageModelListingDeps } from "./modelListing.ts";
import type { Offer } from "./modelOffer.ts";
import type { Thumbs } from "./thumbs.ts";
import type { KeepNote } from "./unfinished.ts";

/** The folder where pictures are kept. */
export interface StudioFolder {
  readonly gallery: Gallery;
  /** To be read by people. */
  readonly label: string;
  /** Tells folders apart. */
  readonly id: string;
}

export interface StudioControllerDeps extends ImageModelListingDeps {
  /** A picture was made and kept. */
  readonly onStored?: () => void;
  readonly post: (message: ToStudio) => void;
  /** Lets the user choose a folder where there is none yet; undefined where they did not. */
  readonly ensureFolder: () => Promise<StudioFolder | undefined>;
  /** Tells the price (USD; undefined where it is not listed) before money is spent. False: not to be sent. */
  readonly confirm: (way: Offer["way"], usd: number | undefined, isInpainting: boolean) => Promise<boolean>;
  readonly imageAmount: ImageSchemas["imageAmount"];
  readonly thumbs: Thumbs;
  readonly saveDraft: (draft: StudioDraft) => void;
  readonly draft: StudioDraft | undefined;
  readonly keepNote: KeepNote;
  readonly saveLayers: (layers: readonly StoredLayer[]) => void;
  readonly now: () => number;
}
