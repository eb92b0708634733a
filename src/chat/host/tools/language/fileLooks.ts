import { basename, extname } from "node:path";
import * as vscode from "vscode";
import type { BackgroundTabs } from "./backgroundTabs.ts";
import { ended, hasOutline, pause, Reports } from "./languageServices.ts";
import { isShownProblem } from "./problems.ts";

/** Times in milliseconds. */
export interface Waits {
  /** A service that is up has this long to report about a changed file: it says nothing if the problems stay the same. */
  readonly firstReport: number;
  /** More reports follow within this time, such as those of types after those of syntax. */
  readonly quiet: number;
  /** A look takes no longer for all of it, with the opening and closing of its file. */
  readonly longest: number;
}

/** Pauses before a file of a new kind is asked about again: its service may be starting. */
const retries = [300, 700];
/** Kinds that have an outline, and no problems unless the user has installed or turned on something. */
const seldomWatched: readonly string[] = [".md", ".markdown", ".txt"];

export type Problems = readonly vscode.Diagnostic[];

/** The language services have reported; have said nothing in time; were not up in time; do not watch the file. */
type Outcome = "reported" | "silent" | "late" | "unwatched";

/** The problems that the language services report of a file as it is now. */
export interface Looked {
  readonly problems: Problems;
  readonly outcome: Outcome;
  /** Time that was waited. */
  readonly seconds: number;
}

/** Lets the language services look at files that were changed, in tabs behind the others. */
export class FileLooks {
  readonly #tabs: BackgroundTabs;
  /** Kinds of files that no language service watches. */
  readonly #unwatched = new Set<string>();

  constructor(tabs: BackgroundTabs) {
    this.#tabs = tabs;
  }

  mayBeWatched(uri: vscode.Uri): boolean {
    const kind = kindOf(uri);
    const isUnlikely = this.#unwatched.has(kind) || seldomWatched.includes(kind);
    return !isUnlikely || vscode.languages.getDiagnostics().some(([other]) => kindOf(other) === kind);
  }

  /** Undefined if it was ended by its signal, or the file has another text than `text` meanwhile. */
  async look(uri: vscode.Uri, text: string, waits: Waits, signal: AbortSignal): Promise<Looked | undefined> {
    const startMs = performance.now();
    const over = new AbortController();
    const ending = AbortSignal.any([signal, AbortSignal.timeout(waits.longest), over.signal]);
    const reports = new Reports(uri);
    const opening = this.#tabs.open(uri);
    try {
      const outcome = await outcomeOf(uri, opening, reports, waits, ending);
      const seconds = Math.round((performance.now() - startMs) / 100) / 10;
      if (signal.aborted || isChangedSince(uri, text)) return undefined;
      if (outcome === "unwatched") this.#unwatched.add(kindOf(uri));
      return { problems: shownProblems(uri), outcome, seconds };
    } finally {
      reports.dispose();
      const closed = opening.then((close) => close()).catch(() => {});
      await Promise.race([closed, ended(ending)]);
      over.abort();
    }
  }
}

async function outcomeOf(
  uri: vscode.Uri,
  opening: Promise<unknown>,
  reports: Reports,
  { firstReport, quiet }: Waits,
  ending: AbortSignal,
): Promise<Outcome> {
  await Promise.race([opening, ended(ending)]);
  const isServed = await Promise.race([hasOutlineSoon(uri, ending), reports.first, ended(ending)]);
  if (!ending.aborted && !isServed) return "unwatched";
  if (!ending.aborted) await Promise.race([reports.first, pause(firstReport, ending)]);
  await reports.quiet(quiet, ending);
  if (reports.has) return "reported";
  return ending.aborted ? "late" : "silent";
}

/** True if a language service gives an outline of a file, now or some time later. */
async function hasOutlineSoon(uri: vscode.Uri, signal: AbortSignal): Promise<boolean> {
  for (const ms of retries) {
    if (signal.aborted || (await hasOutline(uri))) return true;
    await pause(ms, signal);
  }
  return hasOutline(uri);
}

/** The errors and warnings of a file that are known now. */
export function shownProblems(uri: vscode.Uri): Problems {
  return vscode.languages.getDiagnostics(uri).filter(isShownProblem);
}

/** True if the editor has another text of the file than this. */
export function isChangedSince(uri: vscode.Uri, text: string): boolean {
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
  return document !== undefined && document.getText() !== text;
}

/** Files of one kind have the same end of their names. */
function kindOf({ path }: vscode.Uri): string {
  return (extname(path) || basename(path)).toLowerCase();
}
