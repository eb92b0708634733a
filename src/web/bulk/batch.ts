import * as vscode from "vscode";
import { isLockedDocument } from "../../platform/documentWords.ts";
import { enterPassword } from "../../platform/editor/dialogs/askPassword.ts";
import { withProgress } from "../../platform/editor/dialogs/progress.ts";
import { explain } from "../../platform/errors/errorMessage.ts";
import { sayFailure } from "../../session/sandbox/readiness.ts";
import type { Client } from "../../session/session.ts";
import { confirmPrice, type PriceQuestion } from "../../session/spend/confirmPrice.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import type { AugmentDeps } from "../deps.ts";
import type { ResultController } from "../results/resultController.ts";
import type { ResultStore } from "../results/resultStore.ts";
import type { StoredResult } from "../results/storedResult.ts";
import type { FailureReports } from "./failureReports.ts";
import { type FailedRow, failureWords } from "./failureTable.ts";
import { type ManyDone, manyText, runMany } from "./runMany.ts";

export interface BatchDeps extends AugmentDeps {
  readonly store: ResultStore;
  readonly results: ResultController;
  readonly failures: FailureReports;
}

/** Items that were checked, and how to run one call for each. */
export interface Batch<Item> {
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  /** Items that are not sent. */
  readonly rejected: readonly FailedRow[];
  /** Explains a rejected item that was the only one; without it, a table does. */
  readonly showRejected?: (only: FailedRow) => unknown;
  /** Undefined if nothing is sent. */
  readonly price: PriceQuestion | undefined;
  /** Title of the progress notification. */
  readonly title: string;
  /** Title of the table of failures. */
  readonly failedTitle: string;
  /**
   * Resolves with a result to open, if there is one. `atMs` is the time to store it with: results are listed by it, the
   * newest first, and items that were asked for together stay in their order.
   */
  readonly call: (
    item: Item,
    client: () => Promise<Client>,
    signal: AbortSignal,
    atMs?: number,
  ) => Promise<StoredResult | undefined>;
  /** Reads an item again that is locked, with its password. */
  readonly unlock?: (item: Item) => unknown;
  /** Stored results that were asked for, too; they cost nothing. */
  readonly earlier?: readonly StoredResult[];
  /** `pages`: what is read, for the summary; without it there is none. */
  readonly plural?: string;
  /** Tells how a run has ended, also that it was stopped: what is left is no failure then. `goOn` reads it. */
  readonly onEnd?: (ended: ManyDone<Item>, goOn: () => unknown) => void;
}

const mostConcurrent = 3;
/** Larger batches are only listed in the view. */
export const mostOpened = 3;

/** Confirms the price, runs all calls, opens the results and lists the failures. `retry` gets the unfinished items. */
export async function runBatch<Item>(
  deps: BatchDeps,
  batch: Batch<Item>,
  retry: (items: readonly Item[]) => unknown,
): Promise<void> {
  const { items, title, price, rejected, showRejected } = batch;
  if (items.length === 0) {
    const [only] = rejected;
    if (only && showRejected && rejected.length === 1) return void showRejected(only);
    return deps.failures.show({ title: batch.failedTitle, rows: rejected });
  }
  const client = () => deps.session.client({ kind: "web" });
  if (price) {
    // Before the question: without a connection there is nothing to ask.
    await client();
    if (!(await confirmPrice(deps, price))) return;
  }
  const stored = new Map<Item, StoredResult>();
  const startMs = Date.now();
  const run = async (item: Item, signal: AbortSignal) => {
    const result = await batch.call(item, client, signal, startMs + items.length - items.indexOf(item));
    if (result) stored.set(item, result);
  };
  const ended = await withProgress(title, (signal, onProgress) =>
    runMany({
      items,
      concurrency: mostConcurrent,
      signal,
      run: (item) => run(item, signal),
      report: manyText(items.length, onProgress),
    }),
  );
  const read = items.flatMap((item) => stored.get(item) ?? []);
  await openResults(deps.results, read);
  await showFailed(deps, batch, ended, retry);
  void summarize(deps, batch, read, ended);
  batch.onEnd?.(ended, () => retry(ended.left));
}

/** Says at the end of a run of several what was read and paid, with buttons for all of it. */
async function summarize<Item>(
  { session, results }: BatchDeps,
  { items, plural, price, earlier = [] }: Batch<Item>,
  read: readonly StoredResult[],
  { failed, left }: ManyDone<Item>,
): Promise<void> {
  if (plural === undefined || items.length === 1 || read.length + earlier.length === 0) return;
  const sum = formatUsd((price?.usd ?? 0) * read.length, session.active?.kind === "sandbox");
  const paid = price ? ` for ${sum}` : ", free";
  const parts = [
    `${read.length} of ${items.length} ${plural} read${paid}`,
    ...(failed.length > 0 ? [`${failed.length} not read`] : []),
    ...(left.length > 0 ? [`${left.length} left`] : []),
    ...(earlier.length > 0 ? [`${earlier.length} stored before, free`] : []),
  ];
  const open = "Open…";
  const save = "Save All…";
  const send = "Send to Chat";
  const all = [...read, ...earlier];
  const answer = await vscode.window.showInformationMessage(`${parts.join(", ")}.`, open, save, send);
  const nodes = all.map((result) => ({ type: "result" as const, result }));
  if (answer === open) await results.pick(all);
  if (answer === save) await results.save(nodes);
  if (answer === send) await results.toChat(nodes);
}

/** Opens stored results in editors; if there are many, shows them in the view. */
async function openResults(results: ResultController, stored: readonly StoredResult[]): Promise<void> {
  const [first] = stored;
  if (first && stored.length > mostOpened) return results.reveal(first);
  if (first) results.refresh();
  for (const result of stored) await results.open({ type: "result", result });
}

/** For a message with the button, which reads it on this machine. */
function lockedWords(name: string): string {
  return `${name} is locked with a password. Enter it to read the document on this machine, or save a copy without one.`;
}

/** With a button for the password if that would open it. */
async function sayUnreadable(words: string, unlock: (() => unknown) | false | undefined): Promise<void> {
  const buttons = unlock ? [enterPassword] : [];
  const chosen = await vscode.window.showWarningMessage(withoutLinks(words), ...buttons);
  if (chosen !== undefined && unlock) await unlock();
}

async function showFailed<Item>(
  deps: BatchDeps,
  { items, rejected, nameOf, failedTitle, onEnd, unlock }: Batch<Item>,
  { failed, left: stopped }: ManyDone<Item>,
  retry: (items: readonly Item[]) => unknown,
): Promise<void> {
  const left = onEnd ? [] : stopped;
  const unfinished = [...failed.map(({ item }) => item), ...left];
  if (items.length === 1 && rejected.length === 0) {
    const [only] = failed;
    const opens = only && unlock && isLockedDocument(only.error) && (() => unlock(only.item));
    const words = only && (opens ? lockedWords : failureWords)(nameOf(only.item), only.error);
    if (words) void sayUnreadable(words, opens);
    else if (only) sayFailure(deps, only.error, () => retry(unfinished));
    return;
  }
  const service = deps.session.active?.name ?? "The service";
  const rows = [
    ...failed.map(({ item, error }) => ({
      name: nameOf(item),
      reason: failureWords(nameOf(item), error) ?? explain(error, { service }).sentence,
    })),
    ...left.map((item) => ({ name: nameOf(item), reason: "Stopped before it was read." })),
    ...rejected,
  ];
  for (const { item, error } of failed) deps.log.error(nameOf(item), String(error));
  if (rows.length === 0) return;
  await deps.failures.show({
    title: failedTitle,
    rows,
    ...(unfinished.length > 0 ? { retry: () => retry(unfinished) } : {}),
  });
}
