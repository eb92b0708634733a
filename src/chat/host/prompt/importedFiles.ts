import type { InstructionFile } from "../../protocol/chatGuidance.ts";

interface ImportOptions {
  /** Paths that are sent anyway. What is imported is added. */
  readonly paths: Set<string>;
  /** The first part of each path: `~` for the user's files, the folder's name in a workspace with several, else empty. */
  readonly root: string;
  /** Undefined if there is no such file, or if it must not be read. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** Steps from the first file to an imported one. */
const maxDepth = 4;
const maxImports = 20;

/**
 * The files that a file imports by `@path`, and those that these import, in the order of the text. Paths are relative to the
 * file with the import. Nothing outside of the workspace is read, and no file twice. Code has no imports.
 */
export async function importedFiles(
  first: InstructionFile,
  { paths, root, read }: ImportOptions,
): Promise<readonly InstructionFile[]> {
  const found: InstructionFile[] = [];
  const follow = async ({ path, text }: InstructionFile, depth: number): Promise<void> => {
    for (const name of importsIn(text)) {
      const imported = resolved(path, name, root);
      if (imported === undefined || paths.has(imported) || found.length === maxImports) continue;
      paths.add(imported);
      const content = await read(imported);
      if (content === undefined) continue;
      const file = { path: imported, text: content };
      found.push(file);
      if (depth < maxDepth) await follow(file, depth + 1);
    }
  };
  await follow(first, 1);
  return found;
}

/** A file with imports is short. */
const maxTextLength = 200_000;

function importsIn(text: string): readonly string[] {
  const prose = proseLines(text.slice(0, maxTextLength)).map((line) => line.replace(/`[^`]*`/g, ""));
  return prose
    .flatMap((line) => [...line.matchAll(/(?:^|\s)@([^\s@`'"<>()]{1,300})/g)])
    .map(([, name = ""]) => name.replace(/[.,;:!?]+$/, ""));
}

/** The lines that are in no block of code. */
function proseLines(text: string): readonly string[] {
  let fence = "";
  return text.split("\n").filter((line) => {
    const found = /^ {0,3}(```+|~~~+)/.exec(line)?.[1] ?? "";
    if (fence === "") {
      fence = found;
      return found === "";
    }
    if (found.startsWith(fence)) fence = "";
    return false;
  });
}

/** The path in the workspace, or in the home folder for a file of it; undefined if it leads out. */
function resolved(from: string, name: string, root: string): string | undefined {
  const isHome = root === "~" && name.startsWith("~/");
  if (!isHome && /^[/~]/.test(name)) return undefined;
  if (/[:\\\0]/.test(name) || name === "") return undefined;
  const parts = isHome ? [] : from.split("/").slice(0, -1);
  for (const part of name.split("/").filter((one) => one !== "." && one !== "")) {
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return root === "" || parts[0] === root ? parts.join("/") : undefined;
}
