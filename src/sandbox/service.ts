import type { RateRule } from "./limits/rates.ts";
import type { Handler } from "./state/state.ts";

/** The handler of a route, and its rules before the input is read. */
export interface SandboxService {
  readonly handle: Handler;
  /** The handler validates the input itself, by rules from the spec; default: by the row's schema. */
  readonly checksItself?: boolean;
  /** The type of model that a request can name. */
  readonly modelType?: string;
  /** The route's rate limit, if it is neither the model's nor the general one. `own`: the handler counts. */
  readonly limit?: RateRule | "own";
}

/** By route id. */
export type Services = Readonly<Record<string, SandboxService>>;
