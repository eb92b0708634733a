import { type Bridge, createBridge } from "../../webview/ui/bridge.ts";
import type { FromPlayer, ToPlayer } from "../protocol/speechProtocol.ts";

interface StoredByView {
  /** Playback rate; 1 is the original speed. */
  readonly rate: number;
}

export type PlayerBridge = Bridge<FromPlayer, ToPlayer, StoredByView>;
export const createPlayerBridge = createBridge<FromPlayer, ToPlayer, StoredByView>;
