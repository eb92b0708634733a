import type { ToStudio } from "../../protocol/studioProtocol.ts";
import type { StudioDraft } from "../../protocol/studioState.ts";
import type { Gallery } from "../gallery/gallery.ts";
import type { Thumbs } from "../gallery/thumbs.ts";
import type { ImageSchemas } from "../imageSchemas.ts";
import type { AddressPreview } from "./addressPicture.ts";
import type { StoredLayer } from "./layers/layerStore.ts";
import type { ImageModelListingDeps } from "./models/modelListing.ts";
import type { Offer } from "./models/modelOffer.ts";
import type { SaveNote } from "./requests/unfinished.ts";

/** The folder of the saved pictures. */
export interface StudioFolder {
  readonly gallery: Gallery;
  /** Display name. */
  readonly label: string;
  /** Identifies the folder. */
  readonly id: string;
}

export interface StudioControllerDeps extends ImageModelListingDeps {
  /** A picture was generated and saved. */
  readonly onStored?: () => void;
  readonly post: (message: ToStudio) => void;
  /** Asks for a folder if none is chosen; undefined if the user cancels. */
  readonly ensureFolder: () => Promise<StudioFolder | undefined>;
  /** Confirms the price (USD; undefined if it is not listed). False: the request must not be sent. */
  readonly confirm: (mode: Offer["mode"], usd: number | undefined, isInpainting: boolean) => Promise<boolean>;
  readonly imageAmount: ImageSchemas["imageAmount"];
  readonly thumbs: Thumbs;
  /** Why the service can't be sent this address of a picture; undefined if it can. */
  readonly addressProblem: (url: string) => Promise<string | undefined>;
  /** Reads the picture at an address. Never throws. */
  readonly previewOf: (url: string) => Promise<AddressPreview>;
  readonly saveDraft: (draft: StudioDraft) => void;
  readonly draft: StudioDraft | undefined;
  readonly saveNote: SaveNote;
  readonly saveLayers: (layers: readonly StoredLayer[]) => void;
  readonly now: () => number;
}
