import type { SpendSource } from "../../../api/charge.ts";
import type { Client } from "../../../session/session.ts";
import {
  addressOf,
  approvalSite,
  callChainAction,
  effectOfCall,
  parseDocumentAction,
  readPageAction,
  type ServiceAction,
  searchWebAction,
  signsOnNode,
  unknownEffect,
} from "../../../session/tools/serviceActions.ts";
import { inputText, type ToolInput, ToolRefusal, toolSchema } from "../../../session/tools/serviceTool.ts";
import { readOpenText, type WorkspaceFiles } from "../../../session/tools/workspaceFiles.ts";
import { effectOf } from "../../../shared/rpc/catalog/catalog.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import type { CallContext, ChatTool } from "./tool.ts";

const text = (description: string) => ({ type: "string", minLength: 1, description });
const perCall = "$0.01 a call";

/** Tools that every conversation can use. */
export function createBuiltInTools(
  files: WorkspaceFiles,
  client: (source: SpendSource) => Promise<Client>,
): readonly ChatTool[] {
  return [...workspaceTools(files), ...serviceTools(files, client)].map((tool) => ({
    ...tool,
    origin: "built-in",
    fingerprint: async () => tool.name,
  }));
}

type BuiltInTool = Omit<ChatTool, "origin" | "fingerprint">;

function workspaceTools(files: WorkspaceFiles): readonly BuiltInTool[] {
  return [
    {
      name: "read_file",
      kind: "read",
      title: "Read a file",
      description: "Reads a text file of the workspace.",
      parameters: toolSchema({ path: text("Path relative to the workspace, with /.") }),
      summary: (input) => `Read ${inputText(input, "path")}`,
      run: (input) => readOpenText(files, inputText(input, "path")),
    },
    {
      name: "list_files",
      kind: "read",
      title: "List a folder",
      description: "Lists the files and folders in a folder of the workspace. Folders end with /.",
      parameters: toolSchema({
        path: { type: "string", description: "Path of the folder; empty for the workspace." },
      }),
      summary: (input) => `List ${inputText(input, "path") || "the workspace"}`,
      run: async (input) => (await files.list(inputText(input, "path"))).join("\n") || "The folder is empty.",
    },
    {
      name: "search_workspace",
      kind: "read",
      title: "Search the workspace",
      description: "Finds lines that contain a text, whatever its case, in the files of the workspace.",
      parameters: toolSchema({ query: text("The text to find.") }),
      summary: (input) => `Search the workspace for “${inputText(input, "query")}”`,
      run: (input, signal) => searchFiles(files, inputText(input, "query"), signal),
    },
  ];
}

/** Tools that send a billed request. */
function serviceTools(
  files: WorkspaceFiles,
  client: (source: SpendSource) => Promise<Client>,
): readonly BuiltInTool[] {
  const toTool = ({ title, description, parameters, summary, run }: ServiceAction) => ({
    kind: "network" as const,
    title,
    description,
    parameters,
    summary,
    run: (input: ToolInput, signal: AbortSignal, { source }: CallContext) =>
      run(input, { client: () => client(source), files }, signal),
  });
  const chain = toTool(callChainAction);
  return [
    { ...toTool(parseDocumentAction), name: "parse_document", price: perCall },
    { ...toTool(searchWebAction), name: "search_web", price: perCall },
    {
      ...toTool(readPageAction),
      name: "read_page",
      price: perCall,
      scopes: (input) => [approvalSite(addressOf(input))],
    },
    {
      ...chain,
      name: "call_chain",
      description: `${callChainAction.description} The method must be read-only.`,
      price: "credits by the method",
      scopes: (input) => (isUnknown(input) ? [] : ["methods that only read"]),
      alwaysAsks: isUnknown,
      summary: (input) => `${chain.summary(input)}${isUnknown(input) ? `. ${unknownEffect}` : ""}`,
      async run(input, signal, context) {
        const method = inputText(input, "method");
        if (signsOnNode(method) || effectOfCall(method) === "submits")
          throw new ToolRefusal(`${method} was refused: tools must not send transactions.`);
        return chain.run(input, signal, context);
      },
    },
  ];
}

/** Neither described as reading nor refused. */
function isUnknown(input: ToolInput): boolean {
  return effectOf(inputText(input, "method")) === "unknown";
}

/** Limits of a search: files, bytes per file, and found lines. */
const searchBounds = { files: 5000, bytes: 1_000_000, lines: 100 };
const lineLength = 300;

async function searchFiles(files: WorkspaceFiles, query: string, signal: AbortSignal): Promise<string> {
  const needle = query.toLowerCase();
  const found: string[] = [];
  let unread = 0;
  const paths = await files.all(searchBounds.files, signal);
  for (const path of paths) {
    signal.throwIfAborted();
    if (looksSecret(path)) continue;
    const bytes = await files.read(path, searchBounds.bytes).catch(() => undefined);
    if (!bytes) unread += 1;
    if (!bytes || bytes.subarray(0, 8000).includes(0)) continue;
    const lines = new TextDecoder().decode(bytes).split("\n");
    for (const [index, line] of lines.entries()) {
      if (!line.toLowerCase().includes(needle)) continue;
      found.push(`${path}:${index + 1}: ${line.trim().slice(0, lineLength)}`);
      if (found.length === searchBounds.lines) return [...found, "(more lines were left out)"].join("\n");
    }
  }
  const cut = paths.length < searchBounds.files ? [] : [`(only ${searchBounds.files} files were searched)`];
  const left = unread === 0 ? [] : [`(${unread} files are too large or can't be read, and were left out)`];
  return [...(found.length > 0 ? found : [`Nothing contains “${query}”.`]), ...cut, ...left].join("\n");
}
