import type { FromPlayer, ToPlayer } from "../../shared/speechProtocol.ts";
import { type Bridge, createBridge } from "../parts/bridge.ts";

interface StoredByView {
  /** How fast sounds are played; 1 as they came. */
  readonly rate: number;
}

export type PlayerBridge = Bridge<FromPlayer, ToPlayer, StoredByView>;
export const createPlayerBridge = createBridge<FromPlayer, ToPlayer, StoredByView>;
