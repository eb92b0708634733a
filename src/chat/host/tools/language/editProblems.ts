import { basename, extname } from "node:path";
import * as vscode from "vscode";
import type { WrittenText } from "../../../../changes/engine/pendingChanges.ts";
import type { ProblemsSince } from "../files/editReport.ts";
import { type BackgroundTabs, isInTab } from "./backgroundTabs.ts";
import { ended, hasOutline, pause, Reports } from "./languageServices.ts";
import { newProblems } from "./newProblems.ts";
import { isShownProblem, problemLines } from "./problems.ts";

/** Times in milliseconds. */
interface Waits {
  /** A service that is up has this long to report about a changed file: it says nothing if the problems stay the same. */
  readonly firstReport: number;
  /** More reports follow within this time, such as those of types after those of syntax. */
  readonly quiet: number;
  /** A call waits no longer for all of it, with the opening and closing of its file. */
  readonly longest: number;
}
const editWaits: Waits = { firstReport: 1_000, quiet: 400, longest: 3_000 };
/** Pauses before a file of a new kind is asked about again: its service may be starting. */
const retries = [300, 700];
/** Files of one call that are looked at. */
const maxFiles = 5;
const maxProblems = 10;
const maxLineLength = 300;
/** Kinds that have an outline, and no problems unless the user has installed or turned on something. */
const seldomWatched: readonly string[] = [".md", ".markdown", ".txt"];
/** Files whose last problems are remembered. */
const maxRemembered = 50;

type Problems = readonly vscode.Diagnostic[];

/** The language services have reported; have said nothing in time; were not up in time; do not watch the file. */
type Outcome = "reported" | "silent" | "late" | "unwatched";

/** What is known about one file after a change. */
interface Look {
  readonly uri: vscode.Uri;
  readonly found: Problems;
  /** The services have not seen the file before, so what they found may be older than the change. */
  readonly isFirst: boolean;
  readonly outcome: Outcome;
  /** Time that was waited. */
  readonly seconds: number;
}

/** A file before a change. */
interface Since {
  readonly before: string;
  readonly problems: Problems;
  /** Its problems were known. */
  readonly isKnown: boolean;
}

interface RunningLook {
  /** Aborted when the file is changed again. */
  readonly later: AbortController;
  readonly since: Since;
}

/** What an agent's changes do to the problems of files, as the language services of the editor see them. */
export class EditProblems {
  readonly #tabs: BackgroundTabs;
  readonly #waits: Waits;
  /** Kinds of files that no language service watches. */
  readonly #unwatched = new Set<string>();
  /** By URI. */
  readonly #looking = new Map<string, RunningLook>();
  /** By URI: the problems of a text when it was last looked at. */
  readonly #last = new Map<string, { readonly text: string; readonly problems: Problems }>();

  constructor(tabs: BackgroundTabs, waits = editWaits) {
    this.#tabs = tabs;
    this.#waits = waits;
  }

  /** Remembers the problems of all files as they are. */
  since(): ProblemsSince {
    const before = new Map(
      vscode.languages.getDiagnostics().map(([uri, problems]) => [uri.toString(), problems] as const),
    );
    const seen = new Set(
      vscode.workspace.textDocuments
        // Services have perhaps not reported about what only a look has opened.
        .filter(({ uri }) => isInTab(uri) && !this.#tabs.has(uri))
        .map(({ uri }) => uri.toString()),
    );
    return {
      newIn: async (texts, signal) => {
        const looks = texts.slice(0, maxFiles).map((text) => {
          const key = text.uri.toString();
          const former = { problems: before.get(key), isSeen: seen.has(key) };
          return this.#look(text, former, signal).catch(() => undefined);
        });
        return looksText((await Promise.all(looks)).filter((look) => look !== undefined));
      },
    };
  }

  async #look(
    text: WrittenText,
    former: { readonly problems: Problems | undefined; readonly isSeen: boolean },
    signal: AbortSignal,
  ): Promise<Look | undefined> {
    const { uri, before = "", after } = text;
    const kind = kindOf(uri);
    // A later change of the file tells of its problems.
    if (!this.#mayBeWatched(kind) || isChangedSince(uri, after)) return undefined;
    const key = uri.toString();
    const last = this.#last.get(key);
    const remembered = last?.text === before ? last.problems : undefined;
    const look = this.#begin(key, {
      before,
      problems: former.problems ?? remembered ?? [],
      isKnown: former.isSeen || remembered !== undefined || text.before === undefined,
    });
    const startMs = performance.now();
    const whole = AbortSignal.any([signal, look.later.signal]);
    const ending = AbortSignal.any([whole, AbortSignal.timeout(this.#waits.longest)]);
    const reports = new Reports(uri);
    const opening = this.#tabs.open(uri);
    try {
      const outcome = await this.#outcome(uri, opening, reports, ending);
      const seconds = Math.round((performance.now() - startMs) / 100) / 10;
      if (whole.aborted || isChangedSince(uri, after)) return undefined;
      if (outcome === "unwatched") this.#unwatched.add(kind);
      const problems = vscode.languages.getDiagnostics(uri).filter(isShownProblem);
      if (outcome === "reported") this.#remember(key, after, problems);
      const { isKnown, ...known } = look.since;
      const found = newProblems(problems, known.problems, known.before, after);
      return { uri, found, isFirst: !isKnown, outcome, seconds };
    } finally {
      reports.dispose();
      if (this.#looking.get(key) === look) this.#looking.delete(key);
      const closed = opening.then((close) => close()).catch(() => {});
      await Promise.race([closed, ended(ending)]);
    }
  }

  /** Ends the look at a file that is under way: what was found since its start is told by the new one. */
  #begin(key: string, since: Since): RunningLook {
    const former = this.#looking.get(key);
    former?.later.abort();
    const look = { later: new AbortController(), since: former?.since ?? since };
    this.#looking.set(key, look);
    return look;
  }

  #mayBeWatched(kind: string): boolean {
    const isUnlikely = this.#unwatched.has(kind) || seldomWatched.includes(kind);
    return !isUnlikely || vscode.languages.getDiagnostics().some(([uri]) => kindOf(uri) === kind);
  }

  async #outcome(
    uri: vscode.Uri,
    opening: Promise<unknown>,
    reports: Reports,
    ending: AbortSignal,
  ): Promise<Outcome> {
    const { firstReport, quiet } = this.#waits;
    await Promise.race([opening, ended(ending)]);
    const isServed = await Promise.race([hasOutlineSoon(uri, ending), reports.first, ended(ending)]);
    if (!ending.aborted && !isServed) return "unwatched";
    if (!ending.aborted) await Promise.race([reports.first, pause(firstReport, ending)]);
    await reports.quiet(quiet, ending);
    if (reports.has) return "reported";
    return ending.aborted ? "late" : "silent";
  }

  #remember(key: string, text: string, problems: Problems): void {
    this.#last.delete(key);
    this.#last.set(key, { text, problems });
    const [oldest] = this.#last.keys();
    if (this.#last.size > maxRemembered && oldest !== undefined) this.#last.delete(oldest);
  }
}

/** True if the editor has another text of the file than this. */
function isChangedSince(uri: vscode.Uri, text: string): boolean {
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
  return document !== undefined && document.getText() !== text;
}

/** True if a language service gives an outline of a file, now or some time later. */
async function hasOutlineSoon(uri: vscode.Uri, signal: AbortSignal): Promise<boolean> {
  for (const ms of retries) {
    if (signal.aborted || (await hasOutline(uri))) return true;
    await pause(ms, signal);
  }
  return hasOutline(uri);
}

/** Files of one kind have the same end of their names. */
function kindOf({ path }: vscode.Uri): string {
  return (extname(path) || basename(path)).toLowerCase();
}

/** Sentences about the problems of files after a change. */
function looksText(looks: readonly Look[]): string {
  const sure = looks.filter(({ isFirst }) => !isFirst);
  const unsure = looks.filter(({ isFirst }) => isFirst);
  const parts = [
    listed("New problems:", sure),
    listed("Problems, some of which may be older, because these files were not open before:", unsure),
    ...quietText(looks),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function listed(title: string, looks: readonly Look[]): string {
  const lines = problemLines(looks.flatMap(({ uri, found }) => found.map((problem) => ({ uri, problem }))));
  if (lines.length === 0) return "";
  const shown = lines.slice(0, maxProblems).map((line) => line.replace(/\s+/g, " ").slice(0, maxLineLength));
  const rest = lines.length > maxProblems ? [`(${lines.length - maxProblems} more: see read_problems)`] : [];
  return [title, ...shown, ...rest].join("\n");
}

/** What is known of files without new problems. */
function quietText(looks: readonly Look[]): readonly string[] {
  const longest = Math.max(...looks.map(({ seconds }) => seconds));
  if (looks.some(({ outcome }) => outcome === "late"))
    return [`The language service was not done after ${longest} s: read_problems waits longer.`];
  const quiet = looks.filter(({ found, outcome }) => found.length === 0 && outcome !== "unwatched");
  const where = quiet.length === looks.length ? "" : " of the other files";
  return quiet.length === 0 ? [] : [`No new problems${where} were reported within ${longest} s.`];
}
