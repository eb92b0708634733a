import { isMembers } from "../../../shared/members.ts";
import { fileName } from "../../../shared/text/fileName.ts";
import { isTemporaryName } from "../../files/durable/temporaryName.ts";
import { compileBraceGlob, type Glob } from "./glob.ts";

/** What the settings `files.exclude` and `search.exclude` leave out, and what is never searched. */
export interface Excludes {
  /** By the path below the workspace folder. The folders above the entry are not excluded. */
  isExcluded(path: string): boolean;
  /** The same without what `globs` exclude. */
  isExcludedBeyondGlobs(path: string): boolean;
  /** Files that are left out if another file is beside them, such as `a.js` beside `a.ts`. */
  readonly siblings: readonly SiblingExclude[];
  /** Patterns for ripgrep, which need not read what they exclude. */
  readonly globs: readonly string[];
}

interface SiblingExclude {
  readonly matches: Glob;
  /** `$(basename).ts`. */
  readonly when: string;
}

const plainGlob = /^(?:[\w.\-/*?@+~ ]|\{[\w.\-@+~ ]+(?:,[\w.\-@+~ ]+)*\})+$/;

/**
 * True for patterns whose meaning is the same for ripgrep and for us; others are applied to what it finds. ripgrep takes no
 * empty alternatives, drops spaces at the end, and reads two stars otherwise if they are not a whole part.
 */
function isPlain(pattern: string): boolean {
  const parts = pattern.split("/");
  return (
    plainGlob.test(pattern) &&
    !pattern.endsWith(" ") &&
    parts.every((part) => part === "**" || !part.includes("**"))
  );
}

/** Reads the values of such settings, the strongest last; a workspace can contain any. */
export function readExcludes(settings: readonly unknown[]): Excludes {
  const all = Object.entries(Object.assign({}, ...settings.filter(isMembers)) as Record<string, unknown>);
  const patterns = all.filter(([, value]) => value === true).map(([pattern]) => anchored(pattern));
  const plain = patterns.filter(isPlain);
  const plainGlobs = compiled(plain);
  const otherGlobs = compiled(patterns.filter((pattern) => !isPlain(pattern)));
  const isExcludedBeyondGlobs: Glob = (path) =>
    isNeverSearched(path) || (otherGlobs.length > 0 && otherGlobs.some((glob) => glob(path)));
  const siblings = all.flatMap(([pattern, value]) => {
    const matches = compileBraceGlob(anchored(pattern));
    return matches && isConditional(value) ? [{ matches, when: value.when }] : [];
  });
  return {
    isExcluded: (path) => isExcludedBeyondGlobs(path) || plainGlobs.some((glob) => glob(path)),
    isExcludedBeyondGlobs,
    siblings,
    globs: plain.map((pattern) => `!/${pattern}`),
  };
}

function compiled(patterns: readonly string[]): readonly Glob[] {
  return patterns.map(compileBraceGlob).filter((glob) => glob !== undefined);
}

/** The folder of git in any case, because file systems may ignore it, and files that are being written. */
function isNeverSearched(path: string): boolean {
  // A list has 100,000 names, and nearly none begins with a dot.
  const start = path.lastIndexOf("/") + 1;
  if (path.charCodeAt(start) !== dot) return false;
  const name = path.slice(start);
  return name.toLowerCase() === ".git" || isTemporaryName(name);
}

const dot = 0x2e;

/** Patterns of the settings start at the workspace folder. */
function anchored(pattern: string): string {
  return pattern.replace(/^\/+/, "").replace(/\/+$/, "");
}

function isConditional(value: unknown): value is { readonly when: string } {
  return isMembers(value) && typeof value.when === "string";
}

/** The files whose presence excludes a file. */
export function siblingsOf({ siblings }: Excludes, path: string): readonly string[] {
  const slash = path.lastIndexOf("/") + 1;
  const name = path.slice(slash);
  const stem = name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : name;
  return siblings
    .filter(({ matches }) => matches(path))
    .map(({ when }) => path.slice(0, slash) + when.replaceAll("$(basename)", stem))
    .filter((sibling) => sibling !== path);
}

/** Which files a caller wants, such as `*.ts`, `src/*.py` or `docs`. */
export interface Include {
  /** By the path below the workspace folder. */
  readonly wants: Glob;
  /** A pattern of names that holds for all of them, so that ripgrep reads no others. Undefined if there is none. */
  readonly names: string | undefined;
}

/**
 * Reads a pattern: one without `/` is for names at any depth, else it starts at the workspace folder. Folders are meant
 * with all that is below them, but `*.ts` means files. Undefined if it is not valid.
 */
export function readInclude(pattern: string): Include | undefined {
  const plain = anchored(pattern.replace(/^\.\//, ""));
  const glob = compileBraceGlob(plain);
  if (!glob || plain === "") return undefined;
  const name = fileName(plain);
  const matches: Glob = plain === name ? (path) => glob(fileName(path)) : glob;
  const isOfFiles = /[*?]/.test(name) && name.includes(".") && !/\{[^}]*\//.test(plain);
  if (!isOfFiles) return { wants: (path) => prefixesOf(path).some(matches), names: undefined };
  return { wants: matches, names: isPlain(name) ? name : undefined };
}

/** `a`, `a/b` and `a/b/c` of `a/b/c`. */
function prefixesOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
