import { extname } from "node:path";
import { patternOfText } from "../../../../platform/search/searchEngine.ts";
import type { WorkspaceFiles } from "../../../../tools/files/workspaceFiles.ts";
import { placeOfWholeWord } from "./shownLines.ts";

/** Lines of other files that a result names. */
const maxNamed = 10;

/**
 * Where a name is a whole word in the files of the workspace. A language service that is still reading a project renames
 * in the files that it knows by then, and does not say that there are others.
 */
export class NameInFiles {
  readonly #lines: readonly { readonly path: string; readonly line: number }[];

  private constructor(lines: readonly { readonly path: string; readonly line: number }[]) {
    this.#lines = lines;
  }

  /** A search that ended early is as good: what it has found is there. */
  static async find(
    files: Pick<WorkspaceFiles, "search">,
    name: string,
    signal: AbortSignal,
  ): Promise<NameInFiles> {
    const query = { pattern: { source: patternOfText(name), isCaseSensitive: true }, path: "", include: "" };
    const found = await files.search(query, signal);
    const lines =
      "invalid" in found
        ? []
        : found.files.flatMap(({ path, lines }) =>
            lines.flatMap(({ line, text }) => (placeOfWholeWord(text, name) < 0 ? [] : [{ path, line }])),
          );
    return new NameInFiles(lines);
  }

  /** True if a file of the same kind as `path` has the name, and is none of these. */
  isInOtherThan(paths: ReadonlySet<string>, path: string): boolean {
    return this.#lines.some((one) => !paths.has(one.path) && extname(one.path) === extname(path));
  }

  /** A sentence about the lines of files that are none of these; empty if there is none. */
  otherThan(paths: ReadonlySet<string>): string {
    const others = this.#lines.filter((one) => !paths.has(one.path));
    if (others.length === 0) return "";
    const named = others.slice(0, maxNamed).map(({ path, line }) => `${path}:${line}`);
    const rest = others.length > maxNamed ? ` and ${others.length - maxNamed} more` : "";
    return `The name is also in files that were not changed, where it may mean something else: ${named.join(", ")}${rest}.`;
  }
}
