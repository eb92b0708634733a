import type { Known } from "../../../shared/known.ts";
import type { AnyMoney } from "../../../shared/money/money.ts";

/** One line of a section, in one currency. */
export interface ReportRow {
  readonly name: string;
  /** Empty if the row has no amount. */
  readonly currency: string;
  /** Absent if the row compares nothing. */
  readonly before?: Known<AnyMoney>;
  readonly now?: Known<AnyMoney>;
  readonly difference?: Known<AnyMoney>;
  readonly detail: string;
}

export interface ReportSection {
  readonly title: string;
  /** Where the figures come from. */
  readonly note: string;
  readonly isCompared: boolean;
  /** Head of the column of details; empty if there are none. */
  readonly detailHead: string;
  readonly rows: readonly ReportRow[];
  /** In place of rows. */
  readonly empty: string;
}

/** A month of an account in sections, in the order of the document. All days are UTC days. */
export interface MonthReport {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Heads of the columns with amounts. */
  readonly nowHead: string;
  readonly beforeHead: string;
  readonly sections: readonly ReportSection[];
  /** What is not known, and why. */
  readonly unknowns: readonly string[];
}
