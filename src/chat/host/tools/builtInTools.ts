import type { SpendSource } from "../../../api/money/charge.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { Client } from "../../../session/session.ts";
import { effectOf } from "../../../shared/rpc/catalog/catalog.ts";
import type { ChainHelp } from "../../../tools/chain/chainHelp.ts";
import { readOpenText, type WorkspaceFiles } from "../../../tools/files/workspaceFiles.ts";
import {
  addressOf,
  approvalSite,
  createChainAction,
  effectOfCall,
  parseDocumentAction,
  readPageAction,
  type ServiceAction,
  searchWebAction,
  signsOnNode,
  unknownEffect,
} from "../../../tools/serviceActions.ts";
import { inputText, type ToolInput, toolSchema } from "../../../tools/serviceTool.ts";
import { searchTool } from "./search/searchTool.ts";
import type { CallContext, ChatTool } from "./tool.ts";

const text = (description: string) => ({ type: "string", minLength: 1, description });
const perCall = "$0.01 a call";

/** Tools that every conversation can use. */
export function createBuiltInTools(
  files: WorkspaceFiles,
  client: (source: SpendSource) => Promise<Client>,
  chainHelp: ChainHelp,
): readonly ChatTool[] {
  return [...workspaceTools(files), ...serviceTools(files, client, chainHelp)].map((tool) => ({
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
      async run(input) {
        const { names, leftOut } = await files.list(inputText(input, "path"));
        const left =
          leftOut === 0 ? [] : [`(${leftOut} entries that .gitignore or the settings exclude were left out)`];
        return names.length === 0 && leftOut === 0 ? "The folder is empty." : [...names, ...left].join("\n");
      },
    },
    searchTool(files),
  ];
}

/** Tools that send a billed request. */
function serviceTools(
  files: WorkspaceFiles,
  client: (source: SpendSource) => Promise<Client>,
  chainHelp: ChainHelp,
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
  const chainAction = createChainAction(chainHelp);
  const chain = toTool(chainAction);
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
      description: `${chainAction.description} The method must be read-only.`,
      price: "credits by the method",
      scopes: (input) => (isUnknown(input) ? [] : ["methods that only read"]),
      alwaysAsks: isUnknown,
      summary: (input) => `${chain.summary(input)}${isUnknown(input) ? `. ${unknownEffect}` : ""}`,
      async run(input, signal, context) {
        const method = inputText(input, "method");
        if (signsOnNode(method) || effectOfCall(method) === "submits")
          throw new Refusal(`${method} was refused: tools must not send transactions.`);
        return chain.run(input, signal, context);
      },
    },
  ];
}

/** Neither described as reading nor refused. */
function isUnknown(input: ToolInput): boolean {
  return effectOf(inputText(input, "method")) === "unknown";
}
