import type { SpendSource } from "../../../../api/money/charge.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import type { Client } from "../../../../session/session.ts";
import { effectOf } from "../../../../shared/rpc/catalog/catalog.ts";
import type { ChainHelp } from "../../../../tools/chain/chainHelp.ts";
import type { WorkspaceFiles } from "../../../../tools/files/workspaceFiles.ts";
import {
  createParseDocumentAction,
  type DocumentsHere,
  placeOfReading,
} from "../../../../tools/parseDocument.ts";
import {
  addressOf,
  approvalSite,
  createChainAction,
  effectOfCall,
  readPageAction,
  type ServiceAction,
  searchWebAction,
  signsOnNode,
  unknownEffect,
} from "../../../../tools/serviceActions.ts";
import { inputText, type ToolInput } from "../../../../tools/serviceTool.ts";
import { builtIn, type CallContext, type ChatTool } from "../tool.ts";

const perCall = "$0.01 a call";

/** Tools that send a billed request. */
export function createBilledTools(
  files: WorkspaceFiles,
  client: (source: SpendSource) => Promise<Client>,
  chainHelp: ChainHelp,
  documents: DocumentsHere,
): readonly ChatTool[] {
  const toTool = (name: string, { title, description, parameters, summary, run }: ServiceAction) => ({
    ...builtIn(name, title, "network"),
    description,
    parameters,
    summary,
    run: (input: ToolInput, signal: AbortSignal, { source }: CallContext) =>
      run(input, { client: () => client(source), files }, signal),
  });
  const chainAction = createChainAction(chainHelp);
  const chain = toTool("call_chain", chainAction);
  return [
    {
      ...toTool("parse_document", createParseDocumentAction(documents)),
      price: `${perCall} by the service, nothing on this machine`,
      scopes: () => [placeOfReading(documents)],
    },
    { ...toTool("search_web", searchWebAction), price: perCall },
    {
      ...toTool("read_page", readPageAction),
      price: perCall,
      scopes: (input) => [approvalSite(addressOf(input))],
    },
    {
      ...chain,
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
