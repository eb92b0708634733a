import { Refusal } from "../../../../platform/errors/refusal.ts";
import { readInclude } from "../../../../platform/search/rules/excludes.ts";
import type { WorkspaceFiles } from "../../../../tools/files/workspaceFiles.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import { builtIn, type ChatTool } from "../tool.ts";
import { createReadFileTool, type ReadDocument } from "./readFile.ts";

/** Limit of entries in a result. */
const maxEntries = 1_000;

/** Tools that read the files of the workspace. */
export function createReadTools(
  files: Pick<WorkspaceFiles, "read" | "readText" | "look" | "list" | "listBelow">,
  onWhole: Parameters<typeof createReadFileTool>[1],
  readDocument: ReadDocument,
): readonly ChatTool[] {
  return [
    createReadFileTool(files, onWhole, readDocument),
    {
      ...builtIn("list_files", "List a folder", "read"),
      description:
        "Lists a folder of the workspace. Folders end with /. With glob, the files below it that match; with depth, several levels: as paths relative to the workspace.",
      parameters: toolSchema(
        {
          path: { type: "string", description: "Path of the folder; empty for the workspace." },
          glob: { type: "string", minLength: 1, description: "Such as *.ts or src/**/*.py." },
          depth: { type: "integer", minimum: 1, maximum: 20, description: "Levels of folders." },
        },
        ["glob", "depth"],
      ),
      summary: (input) => listSummary(input),
      run: (input, signal) =>
        input.glob === undefined && Number(input.depth ?? 1) === 1
          ? listFolder(files, inputText(input, "path"))
          : listBelow(files, input, signal),
    },
  ];
}

function listSummary(input: ToolInput): string {
  const folder = inputText(input, "path") || "the workspace";
  return input.glob === undefined ? `List ${folder}` : `List ${inputText(input, "glob")} in ${folder}`;
}

async function listFolder(files: Pick<WorkspaceFiles, "list">, path: string): Promise<string> {
  const { names, leftOut } = await files.list(path);
  const left =
    leftOut === 0 ? [] : [`(${leftOut} entries that .gitignore or the settings exclude were left out)`];
  return names.length === 0 && leftOut === 0 ? "The folder is empty." : boundedList(names, left);
}

async function listBelow(
  files: Pick<WorkspaceFiles, "listBelow">,
  input: ToolInput,
  signal: AbortSignal,
): Promise<string> {
  const folder = inputText(input, "path").replace(/\/+$/, "");
  const glob = inputText(input, "glob");
  const { paths, isComplete } = await files.listBelow(folder, signal);
  const root = folder === "" || folder === "." ? "" : `${folder}/`;
  const depth = Number(input.depth ?? Number.POSITIVE_INFINITY);
  const entries = glob === "" ? entriesOf(paths, root, depth) : matching(paths, root, glob, depth);
  const notes = isComplete ? [] : ["(there are too many files to look at all of them: name a folder)"];
  const nothing = glob === "" ? "The folder has no files." : `No file matches ${glob}.`;
  return entries.length === 0 ? [nothing, ...notes].join("\n") : boundedList(entries, notes);
}

/** The files whose path below the folder, or in the workspace, matches. */
function matching(paths: readonly string[], root: string, glob: string, depth: number): readonly string[] {
  const include = readInclude(glob);
  if (!include) throw new Refusal(`${glob} is not a valid pattern of files. An example is **/*.ts.`);
  const near = paths.filter((path) => levelOf(path, root) <= depth);
  const below = near.filter((path) => include.wants(path.slice(root.length)));
  return (below.length > 0 ? below : near.filter((path) => include.wants(path))).toSorted();
}

/** Files and folders down to a level: a folder below it stands for what is in it. */
function entriesOf(paths: readonly string[], root: string, depth: number): readonly string[] {
  const entries = new Set<string>();
  for (const path of paths) {
    const parts = path.slice(root.length).split("/");
    for (let level = 1; level <= Math.min(depth, parts.length); level++)
      entries.add(`${root}${parts.slice(0, level).join("/")}${level < parts.length ? "/" : ""}`);
  }
  return [...entries].sort();
}

function levelOf(path: string, root: string): number {
  return path.slice(root.length).split("/").length;
}

function boundedList(entries: readonly string[], notes: readonly string[]): string {
  const left = entries.length - maxEntries;
  const more =
    left > 0
      ? [`(left out, because there are too many: ${left} of ${entries.length}; name a folder or a glob)`]
      : [];
  return [...entries.slice(0, maxEntries), ...more, ...notes].join("\n");
}
