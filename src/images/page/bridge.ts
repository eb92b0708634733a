import { type Bridge, createBridge } from "../../webview/ui/bridge.ts";
import type { FromStudio, ToStudio } from "../protocol/studioProtocol.ts";
import type { Strokes } from "../protocol/studioState.ts";

interface StoredByStudio {
  /** A mask that is being painted, and its layer. */
  readonly mask?: Strokes | null;
  /** The latest prompt, with the stamp of its draft: a host that ends at once may not have stored it. */
  readonly prompt?: { readonly text: string; readonly draftStamp: number };
}

export type StudioBridge = Bridge<FromStudio, ToStudio, StoredByStudio>;
export const createStudioBridge = createBridge<FromStudio, ToStudio, StoredByStudio>;
