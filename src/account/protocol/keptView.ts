import type { CallFilter, CallGrouping } from "./callsProtocol.ts";
import type { KeptChoice, SortColumn } from "./usageProtocol.ts";

/** What the page keeps while it is hidden, and over a reload of the window. Another shape needs another version. */
export interface KeptView {
  readonly v?: 1;
  readonly choice?: KeptChoice;
  readonly query?: {
    readonly text: string;
    readonly model?: string;
    readonly key?: string;
    readonly sort: SortColumn;
    readonly isDescending: boolean;
  };
  readonly calls?: { readonly by: CallGrouping; readonly filter: CallFilter };
  /** True if this month is compared with the last. */
  readonly compares?: boolean;
  readonly scrollTop?: number;
}
