import type { Explanation } from "./errorActions.ts";

/** What a model may be able to do, in words fit for a badge. */
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
  /** Of input that is read from the service's cache. */
  readonly cachedInputUsd?: number;
  readonly outputUsd?: number;
  /** True where the prices are the sandbox's play money. */
  readonly isPlayMoney?: boolean;
  /** The longest answer, in tokens. */
  readonly maxAnswerTokens?: number;
  /** What it can do. */
  readonly capabilities: readonly Ability[];
  /** The levels of reasoning that it takes; empty where it takes none. */
  readonly reasoningEfforts: readonly string[];
  /** `private`, `anonymized`, or absent where the service does not promise it. */
  readonly privacy?: string;
  readonly traits: readonly string[];
  readonly beta: boolean;
  readonly offline: boolean;
  /** ISO date on which it goes away. */
  readonly retiresAt?: string;
}

export type Models =
  | { readonly status: "loading" }
  | { readonly status: "ready"; readonly cards: readonly ModelCard[] }
  | { readonly status: "failed"; readonly problem: Explanation };
