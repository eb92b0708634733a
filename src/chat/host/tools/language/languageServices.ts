import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";

// Language services answer for files that the editor has open, and some only for those in a tab. They start with the first
// file of their language, and say neither that they are ready nor that a file has no errors.

/** A language service that is up has this long to report about a file, */
const firstReportMs = 5_000;
/** more reports follow within this time, such as those of types after those of syntax, */
const quietMs = 700;
/** and nothing waits longer for them. */
const longestMs = 15_000;
/** Pauses in milliseconds before a service is asked again that has found nothing: it may be starting. */
const retries = [300, 700, 1_500, 3_000];

/** What is known about the errors of a file. */
export interface FileReport {
  readonly problems: readonly vscode.Diagnostic[];
  /** A language service has reported about the file as it is now. */
  readonly isReported: boolean;
  /** A language service has reported, or has an outline of the file. */
  readonly isServed: boolean;
}

/**
 * The problems of a file, once the language services have looked at it. A file that no tab has is opened in one behind the
 * others, and its tab is closed again: services look at hidden documents either late or never.
 */
export async function reportOf(uri: vscode.Uri, signal: AbortSignal): Promise<FileReport> {
  const watch = watchReports(uri, signal);
  const opened = await openBehind(uri);
  try {
    // The answer comes once the service is up.
    const hasOutline = await vscode.commands
      .executeCommand<unknown>("vscode.executeDocumentSymbolProvider", uri)
      .then(
        (symbols) => symbols !== undefined,
        () => false,
      );
    watch.begin();
    const isReported = await watch.settled;
    const problems = vscode.languages.getDiagnostics(uri);
    const isKnown = isReported || problems.length > 0;
    return { problems, isReported: isKnown, isServed: isKnown || hasOutline };
  } finally {
    watch.dispose();
    // A tab that the user has gone to or typed in stays.
    const tab = opened && tabOf(uri);
    if (tab && tab.isActive === opened.wasActive && !tab.isDirty)
      await vscode.window.tabGroups.close(tab, true);
  }
}

/** Opens a file in a new tab, which is not shown unless it is the only one. Undefined if a tab has it. */
async function openBehind(uri: vscode.Uri): Promise<{ readonly wasActive: boolean } | undefined> {
  if (tabOf(uri)) return undefined;
  const options = { background: true, preserveFocus: true, preview: false };
  await vscode.commands.executeCommand("vscode.open", uri, options);
  return { wasActive: tabOf(uri)?.isActive === true };
}

function tabOf(uri: vscode.Uri): vscode.Tab | undefined {
  const key = uri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key);
}

/** Resolves to true once reports about a file have come and no more follow, and to false if none comes in time. */
function watchReports(uri: vscode.Uri, signal: AbortSignal) {
  const key = uri.toString();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let isReported = false;
  const end = () => resolve(isReported);
  let quiet: NodeJS.Timeout | undefined;
  const longest = setTimeout(end, longestMs);
  const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    if (!uris.some((one) => one.toString() === key)) return;
    isReported = true;
    clearTimeout(quiet);
    quiet = setTimeout(end, quietMs);
  });
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  return {
    settled: promise,
    /** Without a report so far, waits for the first one. */
    begin() {
      quiet ??= setTimeout(end, firstReportMs);
    },
    dispose() {
      listening.dispose();
      clearTimeout(quiet);
      clearTimeout(longest);
      signal.removeEventListener("abort", end);
    },
  };
}

/** Asks the language services, and again some time later while they find nothing. */
export async function askService<Found>(
  ask: () => Thenable<readonly Found[] | undefined>,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  let found = (await ask()) ?? [];
  for (const pauseMs of retries) {
    if (found.length > 0) break;
    await sleep(pauseMs, undefined, { signal });
    found = (await ask()) ?? [];
  }
  return found;
}
