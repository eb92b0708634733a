// What the dashboard shows of the budgets. The host computes it, the view draws it.

/** What was left of a budget at a time of its period. */
export interface BurnPoint {
  /** `3 Aug`, `14:00`, `now`. */
  readonly label: string;
  /** Elapsed share of the period, 0 to 1. */
  readonly elapsed: number;
  /** Share of the limit, up to 1; negative beyond the limit. */
  readonly left: number;
  /** The same in the unit of the budget. */
  readonly text: string;
}

/** A budget over its period so far, and to its end if the calls go on as in the last full days. */
export interface BurnDown {
  readonly id: string;
  /** `Folder app · month`. */
  readonly name: string;
  /** `$4.20 of $5.00 spent, $0.80 left`; with `at least` if more may have been spent. */
  readonly summary: string;
  /** The limit in the unit of the budget. */
  readonly limit: string;
  /** The first and the last time of the axis. */
  readonly from: string;
  readonly to: string;
  /** In order of time; the first is the beginning, with the whole limit, and the last is now. */
  readonly points: readonly BurnPoint[];
  /** What is left at the end, as a share of the limit; null if it is not known. */
  readonly forecast: number | null;
  /** `At this rate $1.20 is left at the end.` */
  readonly forecastText: string;
  readonly level: "fine" | "near" | "spent";
}

export interface BudgetsState {
  /** The budget with the least left first. */
  readonly budgets: readonly BurnDown[];
  /** Budgets that can't be read, each in a sentence. */
  readonly faults: readonly string[];
}

/** Host → view. */
export type ToBudgetsView = {
  readonly v: 1;
  readonly type: "budgets";
  readonly state: BudgetsState;
};
