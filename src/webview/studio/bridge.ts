import type { FromStudio, ToStudio } from "../../shared/studioProtocol.ts";
import { type Bridge, createBridge } from "../parts/bridge.ts";
import type { MaskStep } from "./maskStrokes.ts";

interface KeptByStudio {
  /** A mask that is being painted, and the layer that it is painted over. */
  readonly mask?: { readonly base: string; readonly steps: readonly MaskStep[] } | null;
  /** The words as of the newest draft that was heard of: a window that is loaded anew may not have kept the last. */
  readonly prompt?: { readonly text: string; readonly draftStamp: number };
}

export type StudioBridge = Bridge<FromStudio, ToStudio, KeptByStudio>;
export const createStudioBridge = createBridge<FromStudio, ToStudio, KeptByStudio>;
