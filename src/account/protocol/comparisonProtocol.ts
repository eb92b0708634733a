import type { Known } from "../../shared/known.ts";

/** A name in one currency, as texts. */
export interface ComparisonLine {
  readonly name: string;
  readonly before: Known<string>;
  readonly now: Known<string>;
  /** `+$1.20`. */
  readonly difference: Known<string>;
}

/** This month and the same days of the last one. */
export interface ComparisonState {
  /** Days of both, both included: `2026-10-01 to 2026-10-26`. */
  readonly beforeDays: string;
  readonly nowDays: string;
  readonly groups: readonly { readonly title: string; readonly lines: Known<readonly ComparisonLine[]> }[];
  /** Why something is missing, each reason once. */
  readonly problem: string;
}

/** Host → view. */
export interface ToComparisonView {
  readonly v: 1;
  readonly type: "comparison";
  readonly state: ComparisonState;
}
