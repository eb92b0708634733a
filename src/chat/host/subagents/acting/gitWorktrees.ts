import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { readTextIfThere } from "../../../../platform/files/durable/durableFile.ts";
import { hasEnded, newWriterName } from "../../../../platform/files/durable/writerName.ts";
import { makeFolder, permitUser, writePrivately } from "../../../../platform/files/privateFiles.ts";
import { environment } from "../../../../shared/names/ids.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../../shared/text/shortened.ts";

/** A worktree of the user's repository, with no files in it. */
export interface GitWorktree {
  /** The absolute path of the workspace folder in it. */
  readonly root: string;
  /** The files of the workspace folder that Git knows, and those that it does not ignore: paths below the folder, with `/`. */
  readonly paths: readonly string[];
  /** Makes a second folder beside it, of which Git knows nothing. */
  openCopy(signal: AbortSignal): Promise<WorktreeCopy>;
  /** Removes it with its copy, and what Git knows of it. Never rejects. */
  remove(): Promise<void>;
}

/** A folder that Git takes for the worktree when it is run there. */
export interface WorktreeCopy {
  /** The absolute path of its folder. */
  readonly top: string;
  /** That of the workspace folder in it. */
  readonly root: string;
  /** The folders of the user that Git ignores as a whole: paths below the workspace folder, with `/`. */
  readonly ignored: readonly string[];
  /**
   * The files in it that Git does not ignore, also those that are missing: paths below `root`, with `/`. Nothing in the folder
   * decides which repository that is, and no program of the repository runs. Rejects with a Refusal.
   */
  list(signal: AbortSignal): Promise<readonly string[]>;
}

const timeoutMs = 60_000;
const mostOutputBytes = 64 * 1024 * 1024;
/** Has the path of the workspace folder; beside the worktree. */
const noteName = "folder";

/**
 * Worktrees in a folder of the extension, each in a folder of its own, which is named after the process that made it. Git runs
 * no hook, no filter and no monitor of the repository for them, asks nobody and fetches nothing: no file is checked out.
 */
export class GitWorktrees {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds one for a workspace folder, at the present commit. Throws a Refusal where that is not possible. */
  async add(folder: string, signal: AbortSignal): Promise<GitWorktree> {
    const git = (...args: readonly string[]) => runGit(["-C", folder, ...args], signal);
    const prefix = await prefixOf(git);
    await git("rev-parse", "--verify", "--quiet", "HEAD^{commit}").catch(() => {
      signal.throwIfAborted();
      throw new Refusal(
        "The Git repository of the workspace has no commit yet, so an acting subagent has nothing to start from. Do the work yourself.",
      );
    });
    const listed = await git(...listing);
    const place = join(this.#folder, newWriterName());
    await makeFolder(place);
    await writePrivately(join(place, noteName), folder);
    const tree = treeIn(place);
    try {
      // Not stopped in the middle: what is removed must be there as a whole.
      await runGit(["-C", folder, ...adding, tree, "HEAD"], never);
      // Who looks into it sees what differs from the commit. Nothing here depends on that.
      await runGit(["-C", tree, "read-tree", "HEAD"], signal).catch(() => {});
      signal.throwIfAborted();
    } catch (error) {
      await removePlace(place, folder);
      throw error;
    }
    return {
      root: join(tree, prefix),
      paths: pathsIn(listed),
      openCopy: (given) => openCopy(place, { folder, prefix }, given),
      remove: () => removePlace(place, folder),
    };
  }

  /** Removes those of processes that have ended. Never rejects. */
  async sweep(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter(hasEnded)) {
      const place = join(this.#folder, name);
      await removePlace(place, await readTextIfThere(join(place, noteName)).catch(() => undefined));
    }
  }
}

const never = new AbortController().signal;
const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
const listingIgnored = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
const adding = ["worktree", "add", "--quiet", "--no-checkout", "--detach"];

/** Git names what it knows of a worktree after its folder. */
function treeIn(place: string): string {
  return join(place, "subagent");
}

/** Each once; without the folders of other repositories. */
function pathsIn(listed: string): readonly string[] {
  return [...new Set(listed.split("\0").filter((path) => path !== "" && !path.endsWith("/")))];
}

/** None if Git does not tell them: nothing depends on them. */
async function ignoredIn(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const listed = await runGit(["-C", folder, ...listingIgnored], signal).catch(() => "");
  signal.throwIfAborted();
  return listed.split("\0").flatMap((path) => (path.endsWith("/") ? [path.slice(0, -1)] : []));
}

async function openCopy(
  place: string,
  { folder, prefix }: { readonly folder: string; readonly prefix: string },
  signal: AbortSignal,
): Promise<WorktreeCopy> {
  const [tree, top] = [treeIn(place), join(place, "commands")];
  const told = await runGit(["-C", tree, "rev-parse", "--absolute-git-dir"], signal);
  const repository = told.replace(/\n$/, "");
  const root = join(top, prefix);
  await makeFolder(root);
  await writePrivately(join(top, ".git"), `gitdir: ${repository}\n`);
  const named = [`--git-dir=${repository}`, `--work-tree=${top}`];
  return {
    ...{ top, root, ignored: await ignoredIn(folder, signal) },
    list: async (given) => pathsIn(await runGit(["-C", root, ...named, ...listing], given)),
  };
}

async function removePlace(place: string, folder: string | undefined): Promise<void> {
  if (folder !== undefined)
    await runGit(["-C", folder, "worktree", "remove", "--force", "--force", treeIn(place)], never).catch(
      () => {}, // not yet added, or the repository is gone
    );
  const removed = () => rm(place, { recursive: true, force: true, maxRetries: 3 });
  // A command may have left folders without permissions.
  await removed().catch(() =>
    permitFolders(place)
      .then(removed)
      .catch(() => {}),
  );
}

/** Gives the user all permissions for the folders below one. Links are not followed. */
async function permitFolders(folder: string): Promise<void> {
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    await permitUser(next);
    const entries = await readdir(next, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) folders.push(join(next, entry.name));
  }
}

/** The place of the workspace folder in its repository, with `/` at its end; empty for the root. */
async function prefixOf(git: (...args: readonly string[]) => Promise<string>): Promise<string> {
  const told = await git("rev-parse", "--is-inside-work-tree", "--show-prefix");
  const [isInside, ...rest] = told.split("\n");
  if (isInside !== "true") throw noRepository();
  return rest.slice(0, -1).join("\n");
}

function noRepository(): Refusal {
  return new Refusal(
    "The folder of the workspace is in no Git repository, and an acting subagent works in a worktree of one. Do the work yourself, or give it to a subagent that reads.",
  );
}

/** Settings that keep the repository from running a program of its own. */
const quiet: readonly string[] = [
  // No folder has this name, so it has no hooks.
  ...["-c", `core.hooksPath=${join("/", "dev", "null", "no-hooks")}`],
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.untrackedCache=false"],
  ...["-c", "submodule.recurse=false"],
];

/** Rejects with a Refusal, or with the reason of the signal. */
function runGit(args: readonly string[], signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = { env: gitEnvironment(), timeout: timeoutMs, maxBuffer: mostOutputBytes, signal };
  execFile("git", [...quiet, ...args], { ...options, windowsHide: true }, (error, stdout, stderr) => {
    if (!error) return resolve(stdout);
    reject(signal.aborted ? signal.reason : refusalOf(error, stderr));
  });
  return promise;
}

function refusalOf(error: Error & { readonly code?: unknown }, stderr: string): Refusal {
  if (error.code === "ENOENT")
    return new Refusal(
      "Git was not found on this machine, and an acting subagent works in a worktree of Git. Do the work yourself.",
    );
  if (/not a git repository/i.test(stderr)) return noRepository();
  const why = shortened(visibleLine(stderr.trim().split("\n").at(-1) ?? ""), 300);
  return new Refusal(`Git could not make a worktree for an acting subagent: ${why || "it did not say why"}`);
}

/** Without variables that lead Git elsewhere, and without the API key. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.toUpperCase().startsWith("GIT_") && name !== environment.key,
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
  };
}
