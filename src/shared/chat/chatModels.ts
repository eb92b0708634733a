import type { Explanation } from "../errorActions.ts";

/** Capabilities of a model, worded for a badge. */
export type Ability =
  | "code"
  | "reasoning"
  | "vision"
  | "audio"
  | "video"
  | "tools"
  | "JSON schema"
  | "web search"
  | "X search"
  | "logprobs"
  | "TEE"
  | "E2EE";

/** One row of the model picker. */
export interface ModelCard {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** Tokens. */
  readonly contextTokens?: number;
  /** USD per million tokens. */
  readonly inputUsd?: number;
  /** Price of input that is read from the service's cache. */
  readonly cachedInputUsd?: number;
  readonly outputUsd?: number;
  /** True if the prices are the sandbox's play money. */
  readonly isPlayMoney?: boolean;
  /** True if it runs on this machine. */
  readonly isLocal?: boolean;
  /** The longest answer, in tokens. */
  readonly maxAnswerTokens?: number;
  readonly capabilities: readonly Ability[];
  /** The levels of reasoning that it accepts; empty if it accepts none. */
  readonly reasoningEfforts: readonly string[];
  /** `private`, `anonymized`, or absent if the service states neither. */
  readonly privacy?: string;
  readonly traits: readonly string[];
  readonly beta: boolean;
  readonly offline: boolean;
  /** ISO date of its retirement. */
  readonly retiresAt?: string;
  /** The model that the service names in its place. */
  readonly replacedBy?: string;
  /** Regions in which the service restricts it. */
  readonly restrictedIn?: readonly string[];
  /** The number format of its weights: `fp8`. */
  readonly quantization?: string;
  readonly owner?: string;
  /** The time of its release, in Unix milliseconds. */
  readonly createdAtMs?: number;
  /** True if it takes several pictures; absent if the service does not say so. */
  readonly takesSeveralImages?: boolean;
  /** Pictures that one request may have. */
  readonly maxImages?: number;
}

export type Models =
  | { readonly status: "loading" }
  | { readonly status: "ready"; readonly cards: readonly ModelCard[] }
  | { readonly status: "failed"; readonly problem: Explanation };
