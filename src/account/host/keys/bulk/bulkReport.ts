import { countOfKeys } from "../keyOwner.ts";
import type { BulkRun } from "./bulkRun.ts";

/** What is done to keys, in words. */
export interface BulkWords {
  /** `Revoking keys`. */
  readonly title: string;
  /** `revoked`. */
  readonly done: string;
}

const mostNames = 30;

/** What was done, and what was not and why. */
export function bulkReport<Item, Result>(
  run: BulkRun<Item, Result>,
  { done }: BulkWords,
): { readonly message: string; readonly detail: string } {
  const named = (item: Item) => run.nameOf(item);
  const withReason = ({ item, reason }: { readonly item: Item; readonly reason: string }) =>
    `${named(item)}: ${reason}`;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["Failed", run.failed.map(withReason)],
    [`May be ${done}, so not tried again. Look at the list of keys`, run.unsure.map(withReason)],
    ["Not tried", run.left.map(named)],
    [capital(done), run.done.map(([item]) => named(item))],
  ];
  return {
    message: `${run.done.length} of ${countOfKeys(run.size)} ${run.done.length === 1 ? "was" : "were"} ${done}.`,
    detail: sections
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => `${title}:\n${listed(lines)}`)
      .join("\n\n"),
  };
}

/** One per line, and the number of those that are left out. */
export function listed(lines: readonly string[]): string {
  const more = lines.length - mostNames;
  const shown = more > 0 ? lines.slice(0, mostNames) : lines;
  return [...shown.map((line) => `  ${line}`), ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
