/** A folder of the workspace. */
interface PathRoot {
  readonly name: string;
  /** Its absolute paths as the system writes them: its own, and that after links if it differs. */
  readonly paths: readonly string[];
}

/** The folders of the workspace, on a system. */
export interface PathRoots {
  readonly folders: readonly PathRoot[];
  readonly isWindows: boolean;
}

/** Of a workspace without folders on a disk: only relative paths are known. */
export const noRoots: PathRoots = { folders: [], isWindows: false };

/**
 * A path as models write it, as the one relative to the workspace: absolute paths and `file:` URIs inside the workspace,
 * `.` and `..`, and `\` on Windows. What is not certain stays as it is, so that whoever opens the file refuses it. The
 * result is a name, not a permission: it is checked again, after links.
 */
export function toWorkspacePath(written: string, roots: PathRoots): string {
  const given = unquoted(written);
  const plain = withoutScheme(given);
  if (plain === undefined) return given;
  const path = roots.isWindows ? fromWindows(plain) : plain;
  const isAbsolute = path.startsWith("/") || (roots.isWindows && /^[a-z]:\//i.test(path));
  if (!isAbsolute) return joined(path.split("/"), given);
  const normal = joined(path.split("/"), undefined);
  return (normal === undefined ? undefined : insideOf(normal, roots)) ?? given;
}

/** Without quotes or the marks of code around it, and without line breaks at its ends. */
function unquoted(written: string): string {
  const text = written.replace(/^[\r\n]+|[\r\n]+$/g, "");
  return /^\s*(["'`])([^"'`]+)\1\s*$/.exec(text)?.[2] ?? text;
}

/** The path of a `file:` URI, or a text without a scheme. Undefined for other schemes, and for hosts. */
function withoutScheme(given: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]+:/i.test(given)) return given;
  const found = /^file:(?:\/\/(?:localhost)?)?(\/[^?#]*)$/i.exec(given);
  if (!found) return undefined;
  try {
    const path = decodeURIComponent(found[1] ?? "");
    return path.replace(/^\/([a-z]:)/i, "$1");
  } catch {
    return undefined;
  }
}

/** With `/`. Shells on Windows write `/c/` for `C:\`. */
function fromWindows(path: string): string {
  return path.replaceAll("\\", "/").replace(/^\/([a-z])\//i, "$1:/");
}

/** Without `.`, `..` and empty parts; `instead` if it leads above its beginning. */
function joined<Instead>(parts: readonly string[], instead: Instead): string | Instead {
  const path: string[] = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part !== "..") path.push(part);
    else if (path.pop() === undefined) return instead;
  }
  return path.join("/");
}

/** The path of a place in one of the folders, the innermost; undefined if it is in none, or if the name is not unique. */
function insideOf(absolute: string, { folders, isWindows }: PathRoots): string | undefined {
  const same = (text: string) => (isWindows ? text.toLowerCase() : text);
  const places = folders.flatMap(({ name, paths }) =>
    paths.map((path) => ({ name, path: joined((isWindows ? fromWindows(path) : path).split("/"), "") })),
  );
  const [found] = places
    .filter(({ path }) => absolute === path || same(absolute).startsWith(same(`${path}/`)) || path === "")
    .sort((a, b) => b.path.length - a.path.length);
  if (!found) return undefined;
  const rest = absolute.slice(found.path === "" ? 0 : found.path.length + 1);
  if (folders.length === 1) return rest;
  if (folders.filter(({ name }) => name === found.name).length > 1) return undefined;
  return rest === "" ? found.name : `${found.name}/${rest}`;
}
