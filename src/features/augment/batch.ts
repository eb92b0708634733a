import * as vscode from "vscode";
import { explain } from "../../platform/errorMessage.ts";
import { withProgress } from "../../platform/progress.ts";
import { confirmPrice, type PriceQuestion } from "../../session/confirmPrice.ts";
import { sayFailure } from "../../session/readiness.ts";
import type { Client } from "../../session/session.ts";
import { withoutLinks } from "../../shared/withoutLinks.ts";
import type { AugmentDeps } from "./deps.ts";
import type { FailureReports } from "./failureReports.ts";
import { type FailedRow, failureWords } from "./failureTable.ts";
import type { ResultController } from "./resultController.ts";
import type { ResultStore } from "./resultStore.ts";
import { type ManyDone, manyText, runMany } from "./runMany.ts";
import type { StoredResult } from "./storedResult.ts";

export interface BatchDeps extends AugmentDeps {
  readonly store: ResultStore;
  readonly results: ResultController;
  readonly failures: FailureReports;
}

/** One call for each of some things, one or many of them. */
export interface Batch<Item, Value> {
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  /** What was not sent, and why. */
  readonly refused: readonly FailedRow[];
  readonly price: PriceQuestion;
  /** Of the progress, and of the table of what failed. */
  readonly title: string;
  readonly failedTitle: string;
  readonly call: (item: Item, client: Client, signal: AbortSignal) => Promise<Value>;
  readonly retry: (items: readonly Item[]) => unknown;
}

const atOnce = 3;
/** More than these are shown in the view alone. */
const mostOpened = 3;

/** Asks about the price, runs all, shows what came and lists what did not. */
export async function runBatch<Item>(deps: BatchDeps, batch: Batch<Item, StoredResult>): Promise<void> {
  const stored: StoredResult[] = [];
  const call: typeof batch.call = async (...about) => {
    const one = await batch.call(...about);
    stored.push(one);
    return one;
  };
  const ended = await runAll(deps, { ...batch, call });
  await showStored(deps.results, stored);
  if (ended) await showFailed(deps, batch, ended);
}

/** The same for calls that show by themselves what they brought. Undefined where the user did not take the price. */
export async function runQuietBatch<Item>(
  deps: BatchDeps,
  batch: Batch<Item, void>,
): Promise<ManyDone<Item> | undefined> {
  const ended = await runAll(deps, batch);
  if (ended) await showFailed(deps, batch, ended);
  return ended;
}

async function runAll<Item>(
  deps: BatchDeps,
  { items, title, price, call }: Batch<Item, unknown>,
): Promise<ManyDone<Item> | undefined> {
  const client = await deps.session.client();
  if (!(await confirmPrice(deps, price))) return undefined;
  return withProgress(title, (signal, report) =>
    runMany({
      items,
      atOnce,
      signal,
      run: async (item) => void (await call(item, client, signal)),
      report: manyText(items.length, report),
    }),
  );
}

async function showStored(results: ResultController, stored: readonly StoredResult[]): Promise<void> {
  const [first] = stored;
  if (first && stored.length > mostOpened) return results.reveal(first);
  if (first) results.refresh();
  for (const one of stored) await results.open({ type: "kept", kept: one });
}

async function showFailed<Item>(
  deps: BatchDeps,
  { items, refused, nameOf, failedTitle, retry }: Batch<Item, unknown>,
  { failed, left }: ManyDone<Item>,
): Promise<void> {
  const again = [...failed.map(({ item }) => item), ...left];
  if (items.length === 1 && refused.length === 0) {
    const [only] = failed;
    const words = only && failureWords(nameOf(only.item), only.error);
    if (words) void vscode.window.showWarningMessage(withoutLinks(words));
    else if (only) sayFailure(deps, only.error, () => retry(again));
    return;
  }
  const service = deps.session.active?.name ?? "The service";
  const rows = [
    ...failed.map(({ item, error }) => ({
      name: nameOf(item),
      reason: failureWords(nameOf(item), error) ?? explain(error, { service }).sentence,
    })),
    ...left.map((item) => ({ name: nameOf(item), reason: "Stopped before it was read." })),
    ...refused,
  ];
  for (const { item, error } of failed) deps.log.error(nameOf(item), String(error));
  if (rows.length === 0) return;
  await deps.failures.show({
    title: failedTitle,
    rows,
    ...(again.length > 0 ? { retry: () => retry(again) } : {}),
  });
}
