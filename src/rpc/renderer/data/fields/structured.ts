import type { JSX } from "preact";
import type { Json, RpcOutput, RpcSimulation } from "../../../output/rpcOutput.ts";
import type { ResultProps } from "../../views/viewProps.ts";

export interface SimulationProps {
  readonly simulation: RpcSimulation;
  /** The symbol of the network's currency. */
  readonly coin: string;
}

/** The views of results with parts and of several networks: a chunk that is loaded with the first such result. */
export interface StructuredViews {
  readonly StructuredView: (props: ResultProps) => JSX.Element;
  /** A short text for a result of Solana; undefined for other shapes. */
  readonly solanaText: (value: Json) => string | undefined;
  /** The lines of a run on several networks, side by side. */
  readonly Comparison: (props: { readonly output: RpcOutput }) => JSX.Element;
  readonly Simulation: (props: SimulationProps) => JSX.Element;
  /** How to top up a wallet; nothing for a value of another shape. */
  readonly TopUpNote: (props: { readonly value: unknown }) => JSX.Element | null;
  /** The styles of that note. */
  readonly topUpSheet: string;
}

let loaded: StructuredViews | undefined;

/** Undefined before they are loaded. */
export function structured(): StructuredViews | undefined {
  return loaded;
}

export function setStructured(views: StructuredViews): void {
  loaded = views;
}
