import type { Budgets } from "../platform/settings.ts";
import type { Session } from "../session/session.ts";
import { serviceToolNames } from "../shared/names/ids.ts";
import type { ChainHelp } from "./chain/chainHelp.ts";
import { createChainTool, type DescribeWrite } from "./chainTool.ts";
import { createReadMoreTool, LongResults } from "./files/longResults.ts";
import { createResultFiles } from "./files/resultFiles.ts";
import type { WorkspaceFiles } from "./files/workspaceFiles.ts";
import { createImageTools } from "./imageTools.ts";
import { createParseDocumentAction, type DocumentsHere } from "./parseDocument.ts";
import { augmentationUsd, readPageAction, type ServiceAction, searchWebAction } from "./serviceActions.ts";
import type { ServiceTool, ToolContent } from "./serviceTool.ts";
import { createSpeechTool } from "./speechTool.ts";
import { createUsageTool } from "./usageTool.ts";
import { askWebAction, mostAskUsd } from "./web/askWebAction.ts";

export interface ServiceToolDeps {
  readonly session: Pick<Session, "spend">;
  readonly budgets: () => Budgets;
  readonly files: Pick<WorkspaceFiles, "read">;
  readonly documents: DocumentsHere;
  /** Absolute path of a folder for pictures and sounds. */
  readonly folder: string;
  readonly describeWrite: DescribeWrite;
  readonly chain: ChainHelp;
}

/** The tools of the service for agents. Their long results are kept together, for `inference_read_more`. */
export function createServiceTools(deps: ServiceToolDeps): readonly ServiceTool[] {
  const results = new LongResults();
  const files = createResultFiles(deps);
  const augment = [
    toAugmentTool(searchWebAction, deps, {
      name: serviceToolNames.searchWeb,
      userDescription: "Searches the web. $0.01 a call.",
      sent: "the words of the search",
      button: "Search",
    }),
    toAugmentTool(readPageAction, deps, {
      name: serviceToolNames.readPage,
      userDescription: "Reads a public web page as Markdown. $0.01 a call.",
      sent: "the address of the page",
      button: "Read",
    }),
    createAskTool(deps),
    createParseTool(deps),
  ];
  const all = [
    ...augment,
    createChainTool(deps.describeWrite, deps.chain),
    ...createImageTools({ files: deps.files, results: files }),
    createSpeechTool(files),
    createUsageTool(deps),
  ];
  return [...all.map((tool) => withCutTexts(tool, results)), createReadMoreTool(results)];
}

interface AugmentTexts {
  readonly name: string;
  readonly userDescription: string;
  /** The data that the service receives. */
  readonly sent: string;
  readonly button: string;
}

/** A tool of one request with a flat price and a text as its result. */
function toAugmentTool(
  { title, description, parameters, summary, check, run }: ServiceAction,
  { files }: ServiceToolDeps,
  { name, userDescription, sent, button }: AugmentTexts,
): ServiceTool {
  return {
    name,
    title,
    description,
    userDescription,
    parameters,
    isReadOnly: true,
    async prepare(input, client) {
      await check?.(input, { client: async () => client, files });
      const details = [`${client.connection.name} receives ${sent}.`];
      return { summary: summary(input), usd: augmentationUsd, asks: "price", details, button };
    },
    async run(input, client, signal) {
      const text = await run(input, { client: async () => client, files }, signal);
      return [{ kind: "text", text }];
    },
  };
}

/** Its price is that of the search and of all pages. */
function createAskTool(deps: ServiceToolDeps): ServiceTool {
  const tool = toAugmentTool(askWebAction, deps, {
    name: serviceToolNames.askWeb,
    userDescription: "Searches the web and reads the best pages. At most $0.05 a call.",
    sent: "the words of the search and the addresses of the pages",
    button: "Ask",
  });
  return {
    ...tool,
    prepare: async (...call) => ({ ...(await tool.prepare(...call)), usd: mostAskUsd }),
  };
}

/** Free if the settings let this machine read documents. */
function createParseTool(deps: ServiceToolDeps): ServiceTool {
  const action = createParseDocumentAction(deps.documents);
  const tool = toAugmentTool(action, deps, {
    name: serviceToolNames.parseDocument,
    userDescription:
      "Reads a document of the workspace: PDF, DOCX, PPTX, XLSX or text. $0.01 by the service, nothing on this machine.",
    sent: "the file",
    button: "Send",
  });
  return {
    ...tool,
    async prepare(input, client, signal) {
      if (!deps.documents.readsHere()) return tool.prepare(input, client, signal);
      await action.check?.(input, { client: async () => client, files: deps.files });
      const details = ["Nothing is sent, and nothing is charged."];
      return { summary: action.summary(input), usd: 0, asks: "never", details, button: "Read" };
    },
  };
}

function withCutTexts(tool: ServiceTool, results: LongResults): ServiceTool {
  const cut = (part: ToolContent): ToolContent =>
    part.kind === "text" ? { ...part, text: results.cut(part.text) } : part;
  return { ...tool, run: async (...call) => (await tool.run(...call)).map(cut) };
}
