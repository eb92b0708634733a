import * as vscode from "vscode";
import type { WrittenText } from "../../../../changes/engine/pendingChanges.ts";
import type { ProblemsSince } from "../files/editReport.ts";
import type { CallContext } from "../tool.ts";
import { type BackgroundTabs, isInTab } from "./backgroundTabs.ts";
import { FileLooks, isChangedSince, type Looked, type Problems, type Waits } from "./fileLooks.ts";
import { FollowedFiles, type LaterProblems, looksOfTasks, type Since } from "./followedFiles.ts";
import { newProblems } from "./newProblems.ts";
import { newsText } from "./problemNews.ts";

/** A call outside of a task waits for its problems, because nothing tells them later. */
const editWaits: Waits = { firstReport: 1_000, quiet: 400, longest: 3_000 };
/** Files of one call that are looked at. */
const maxFiles = 5;
/** Files whose last problems are remembered. */
const maxRemembered = 50;

/** What is known about one file after a change. */
interface Look extends Omit<Looked, "problems"> {
  readonly uri: vscode.Uri;
  readonly found: Problems;
  /** The services have not seen the file before, so what they found may be older than the change. */
  readonly isFirst: boolean;
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
  readonly #looks: FileLooks;
  /** By URI. */
  readonly #looking = new Map<string, RunningLook>();
  /** By URI: the problems of a text when it was last looked at. */
  readonly #last = new Map<string, { readonly text: string; readonly problems: Problems }>();
  readonly #followed: FollowedFiles;

  constructor(tabs: BackgroundTabs, waits = editWaits, waitsOfTasks = looksOfTasks) {
    this.#tabs = tabs;
    this.#waits = waits;
    this.#looks = new FileLooks(tabs);
    this.#followed = new FollowedFiles(tabs, this.#looks, waitsOfTasks);
  }

  /** The problems that edits of tasks have made. The next request tells them. */
  get ofTasks(): LaterProblems {
    return this.#followed;
  }

  /** Remembers the problems of all files as they are, before a call changes some. */
  since({ conversation }: Pick<CallContext, "conversation">): ProblemsSince {
    const before = new Map(
      vscode.languages.getDiagnostics().map(([uri, problems]) => [uri.toString(), problems] as const),
    );
    const seen = new Set(
      vscode.workspace.textDocuments
        // Services have perhaps not reported about what only a look has opened.
        .filter(({ uri }) => isInTab(uri) && !this.#tabs.has(uri))
        .map(({ uri }) => uri.toString()),
    );
    const sinceOf = (text: WrittenText): Since => {
      const key = text.uri.toString();
      const last = this.#last.get(key);
      const remembered = last?.text === text.before ? last?.problems : undefined;
      return {
        before: text.before ?? "",
        problems: before.get(key) ?? remembered ?? [],
        isKnown: seen.has(key) || remembered !== undefined || text.before === undefined,
      };
    };
    const followed = this.#followed;
    if (conversation !== undefined)
      return {
        async newIn(texts) {
          for (const text of texts) followed.follow(conversation, text, sinceOf(text));
          return "";
        },
      };
    return {
      newIn: async (texts, signal) => {
        const looks = texts
          .slice(0, maxFiles)
          .map((text) => this.#look(text, sinceOf(text), signal).catch(() => undefined));
        return looksText((await Promise.all(looks)).filter((look) => look !== undefined));
      },
    };
  }

  async #look({ uri, after }: WrittenText, before: Since, signal: AbortSignal): Promise<Look | undefined> {
    // A later change of the file tells of its problems.
    if (!this.#looks.mayBeWatched(uri) || isChangedSince(uri, after)) return undefined;
    const key = uri.toString();
    const look = this.#begin(key, before);
    try {
      const whole = AbortSignal.any([signal, look.later.signal]);
      const looked = await this.#looks.look(uri, after, this.#waits, whole);
      if (!looked) return undefined;
      const { problems, ...how } = looked;
      if (looked.outcome === "reported") this.#remember(key, after, problems);
      const { isKnown, ...known } = look.since;
      const found = newProblems(problems, known.problems, known.before, after);
      return { uri, found, isFirst: !isKnown, ...how };
    } finally {
      if (this.#looking.get(key) === look) this.#looking.delete(key);
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

  #remember(key: string, text: string, problems: Problems): void {
    this.#last.delete(key);
    this.#last.set(key, { text, problems });
    const [oldest] = this.#last.keys();
    if (this.#last.size > maxRemembered && oldest !== undefined) this.#last.delete(oldest);
  }
}

/** Sentences about the problems of files after a change. */
function looksText(looks: readonly Look[]): string {
  const sure = looks.filter(({ isFirst }) => !isFirst);
  const unsure = looks.filter(({ isFirst }) => isFirst);
  const parts = [
    newsText("New problems:", sure),
    newsText("Problems, some of which may be older, because these files were not open before:", unsure),
    ...quietText(looks),
  ];
  return parts.filter((part) => part !== "").join("\n");
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
