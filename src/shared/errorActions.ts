import type { TopUp } from "./money/topUp.ts";

/**
 * The buttons of an explained error. The feature handles `retry`, `sendAsText` and `withoutTools` itself; the others are
 * commands or settings.
 */
export const errorActionIds = [
  "retry",
  "sendAsText",
  "withoutTools",
  "signIn",
  "setKey",
  "changeUrl",
  "switchConnection",
  "useSandbox",
  "useLocalModel",
  "diagnose",
  "showLog",
  "proxySettings",
  "certificateSettings",
  "timeoutSettings",
  "budgetSettings",
  "editKey",
  "walletSettings",
] as const;
export type ErrorActionId = (typeof errorActionIds)[number];

export interface ErrorAction {
  readonly id: ErrorActionId;
  readonly label: string;
}

/** An error as the user reads it: what happened and what to do, with the buttons that do it. */
export interface Explanation {
  readonly sentence: string;
  /** The most helpful one first. */
  readonly actions: readonly ErrorAction[];
  /** Unix time in milliseconds before which a retry would fail. */
  readonly retryAtMs?: number;
  /** How to top up the wallet that could not pay. */
  readonly topUp?: TopUp;
}
