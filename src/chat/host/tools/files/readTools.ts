import type { WorkspaceFiles } from "../../../../tools/files/workspaceFiles.ts";
import { inputText, toolSchema } from "../../../../tools/serviceTool.ts";
import { builtIn, type ChatTool } from "../tool.ts";
import { createReadFileTool } from "./readFile.ts";

/** Tools that read the files of the workspace. */
export function createReadTools(
  files: Pick<WorkspaceFiles, "read" | "readText" | "look" | "list">,
  onWhole: Parameters<typeof createReadFileTool>[1],
): readonly ChatTool[] {
  return [
    createReadFileTool(files, onWhole),
    {
      ...builtIn("list_files", "List a folder", "read"),
      description: "Lists the files and folders in a folder of the workspace. Folders end with /.",
      parameters: toolSchema({
        path: { type: "string", description: "Path of the folder; empty for the workspace." },
      }),
      summary: (input) => `List ${inputText(input, "path") || "the workspace"}`,
      async run(input) {
        const { names, leftOut } = await files.list(inputText(input, "path"));
        const left =
          leftOut === 0 ? [] : [`(${leftOut} entries that .gitignore or the settings exclude were left out)`];
        return names.length === 0 && leftOut === 0 ? "The folder is empty." : [...names, ...left].join("\n");
      },
    },
  ];
}
