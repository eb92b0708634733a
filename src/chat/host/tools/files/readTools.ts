import { readOpenText, type WorkspaceFiles } from "../../../../tools/files/workspaceFiles.ts";
import { inputText, toolSchema } from "../../../../tools/serviceTool.ts";
import { builtIn, type ChatTool } from "../tool.ts";

/** Tools that read the files of the workspace. */
export function createReadTools(files: Pick<WorkspaceFiles, "readText" | "list">): readonly ChatTool[] {
  return [
    {
      ...builtIn("read_file", "Read a file", "read"),
      description: "Reads a text file of the workspace.",
      parameters: toolSchema({
        path: { type: "string", minLength: 1, description: "Path relative to the workspace, with /." },
      }),
      summary: (input) => `Read ${inputText(input, "path")}`,
      run: (input) => readOpenText(files, inputText(input, "path")),
    },
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
