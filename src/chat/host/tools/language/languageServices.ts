import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import type { BackgroundTabs } from "./backgroundTabs.ts";

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
 * The problems of a file, once the language services have looked at it. A file that no tab has is in one behind the others
 * meanwhile.
 */
export async function reportOf(
  uri: vscode.Uri,
  tabs: BackgroundTabs,
  signal: AbortSignal,
): Promise<FileReport> {
  const reports = new Reports(uri);
  const close = await tabs.open(uri);
  const ending = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  try {
    // The answer comes once the service is up.
    const isOutlined = await Promise.race([hasOutline(uri), ended(ending)]);
    await Promise.race([reports.first, pause(firstReportMs, ending)]);
    await reports.quiet(quietMs, ending);
    const problems = vscode.languages.getDiagnostics(uri);
    const isReported = reports.has || problems.length > 0;
    return { problems, isReported, isServed: isReported || isOutlined };
  } finally {
    reports.dispose();
    await close();
  }
}

/** True if a language service gives an outline of a file. It answers once it is up. */
export function hasOutline(uri: vscode.Uri): Promise<boolean> {
  const asked = vscode.commands.executeCommand<unknown>("vscode.executeDocumentSymbolProvider", uri);
  return Promise.resolve(asked).then(
    (symbols) => symbols !== undefined,
    () => false,
  );
}

/**
 * The reports of language services about a file. When it is opened or closed, they clear its problems, also if it has
 * none: that is no report.
 */
export class Reports implements vscode.Disposable {
  readonly #first = Promise.withResolvers<true>();
  readonly #listening: vscode.Disposable;
  #lastMs: number | undefined;

  constructor(uri: vscode.Uri) {
    const key = uri.toString();
    let count = vscode.languages.getDiagnostics(uri).length;
    this.#listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((one) => one.toString() === key)) return;
      const former = count;
      count = vscode.languages.getDiagnostics(uri).length;
      if (count === 0 && former === 0) return;
      this.#lastMs = performance.now();
      this.#first.resolve(true);
    });
  }

  /** One has come. */
  get has(): boolean {
    return this.#lastMs !== undefined;
  }

  get first(): Promise<true> {
    return this.#first.promise;
  }

  /** Waits until none has come for some time. */
  async quiet(ms: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#lastMs !== undefined) {
      const leftMs = this.#lastMs + ms - performance.now();
      if (leftMs <= 0) return;
      await pause(leftMs, signal);
    }
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

/** Waits for some time, or until the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

export async function ended(signal: AbortSignal): Promise<false> {
  if (signal.aborted) return false;
  const { promise, resolve } = Promise.withResolvers<false>();
  signal.addEventListener("abort", () => resolve(false), { once: true });
  return promise;
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
