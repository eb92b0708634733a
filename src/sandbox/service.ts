import type { RateRule } from "./limits/rates.ts";
import type { Handler } from "./state.ts";

/** Who serves a route, and what is to be known of it before its input is read. */
export interface SandboxService {
  readonly handle: Handler;
  /** Whether it holds the input to its own rules, written from the spec; default is the row's schema. */
  readonly checksItself?: boolean;
  /** The type of the models that a request may name. */
  readonly modelType?: string;
  /** Of this route, where it is neither its model's nor the general one; `own` where it counts by itself. */
  readonly limit?: RateRule | "own";
}

/** By route id. */
export type Services = Readonly<Record<string, SandboxService>>;
