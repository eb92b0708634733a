/** The buttons that an explained error may carry. `retry` is the feature's own; the others are commands or settings. */
export const errorActionIds = [
  "retry",
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
] as const;
export type ErrorActionId = (typeof errorActionIds)[number];

export interface ErrorAction {
  readonly id: ErrorActionId;
  /** The button's text. */
  readonly label: string;
}

/** An error as a person reads it: what happened and what to do next, with the buttons that do it. */
export interface Explanation {
  readonly sentence: string;
  /** Most helpful first. */
  readonly actions: readonly ErrorAction[];
  /** Unix time in milliseconds before which trying again is no use. */
  readonly retryAtMs?: number;
}
