import type { SearchResult } from "../api/endpoints/augment.ts";
import { augmentation } from "../api/money/price.ts";
import { Refusal } from "../platform/errors/refusal.ts";
import type { Client } from "../session/session.ts";
import { membersOf } from "../shared/members.ts";
import { effectOf, type MethodEffect, methodSpelled } from "../shared/rpc/catalog/catalog.ts";
import { localNetwork } from "../shared/rpc/networks.ts";
import { htmlToLine } from "../shared/text/html/htmlToLine.ts";
import { visibleLine } from "../shared/text/html/visibleText.ts";
import { exactJsonText } from "../shared/text/json/exactJson.ts";
import { sentUrl } from "../shared/web/sentUrl.ts";
import { urlProblemAt } from "../shared/web/urlProblem.ts";
import type { ChainHelp } from "./chain/chainHelp.ts";
import { checkNetwork } from "./chain/knownNetworks.ts";
import type { WorkspaceFiles } from "./files/workspaceFiles.ts";
import { inputText, type ToolInput, type ToolSchema, toolSchema } from "./serviceTool.ts";

/** What an action works with: the connection that is billed, and the files of the workspace. */
interface ActionContext {
  /** Called after the input and the file were checked. */
  client(): Promise<Client>;
  readonly files: Pick<WorkspaceFiles, "read">;
}

/** A request to the service that tools make. The tools of the chat and those for other agents share it. */
export interface ServiceAction {
  readonly title: string;
  /** Description for the model. */
  readonly description: string;
  readonly parameters: ToolSchema;
  /** One line for the user's decision. */
  summary(input: ToolInput): string;
  /** Throws Refusal if this can't be sent. Sends nothing. */
  check?(input: ToolInput, context: ActionContext): Promise<void>;
  /** The result as text, not cut. Throws Refusal or ApiError. */
  run(input: ToolInput, context: ActionContext, signal: AbortSignal): Promise<string>;
}

/** USD of a search, a page or a document (spec E2, E4, E9). */
export const augmentationUsd = augmentation.usd;

const text = (description: string, rules: Readonly<Record<string, unknown>> = {}) => ({
  type: "string",
  minLength: 1,
  description,
  ...rules,
});
const usualResults = 8;

export const searchWebAction: ServiceAction = {
  title: "Search the web",
  description:
    "Searches the web. Gives up to 20 results, each as a Markdown heading with the title, then the URL with the date if it is known, then what the page says as plain text. Costs $0.01 a call.",
  parameters: toolSchema(
    {
      query: text("What to search for, at most 400 characters.", { maxLength: 400 }),
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 20,
        description: `The largest number of results. Default ${usualResults}.`,
      },
    },
    ["limit"],
  ),
  summary: (input) => `Search the web for “${inputText(input, "query")}”`,
  async run(input, { client }, signal) {
    const limit = typeof input.limit === "number" ? input.limit : usualResults;
    const { api } = await client();
    const { results } = await api.augment.search({ query: inputText(input, "query"), limit }, { signal });
    if (results.length === 0) return "Nothing was found.";
    return results.map(resultText).join("\n\n");
  },
};

/** Characters of what a page says. */
const longestContent = 10_000;

/** In lines, so that no text of a page looks like another result. */
function resultText({ title, url, date, content }: SearchResult): string {
  const line = htmlToLine(content, longestContent + 1);
  const isCut = line.length > longestContent || content.length > longestContent * 4;
  const said = isCut ? `${line.slice(0, longestContent)}… (cut: read the page for the rest)` : line;
  const day = htmlToLine(date, 100);
  return `# ${htmlToLine(title, 500)}\n${visibleLine(url)}${day ? ` (${day})` : ""}\n${said}`;
}

export const readPageAction: ServiceAction = {
  title: "Read a web page",
  description:
    "Gives the text of a public web page as Markdown. Pages of private networks and of sites that block robots are refused. Costs $0.01 a call.",
  parameters: toolSchema({
    url: text("The page's address, with http:// or https://.", { pattern: "^https?://" }),
  }),
  summary: (input) => `Read ${addressOf(input)}`,
  check: async (input, { client }) => checkAddress(input, await client()),
  async run(input, { client }, signal) {
    const service = await client();
    checkAddress(input, service);
    return (await service.api.augment.scrape({ url: addressOf(input) }, { signal })).content;
  },
};

const chainParameters = toolSchema(
  {
    network: text("The network, such as ethereum-mainnet; local for a node on this machine.", {
      pattern: "^[a-z0-9-]{1,64}$",
    }),
    method: text("The method, such as eth_getBalance.", { maxLength: 200 }),
    params: {
      type: "array",
      // VS Code's chat refuses a list without it, and then every request.
      items: { description: "Any JSON value." },
      description: "Its parameters, in order. Default: none.",
    },
  },
  ["params"],
);

export function createChainAction(chain: ChainHelp): ServiceAction {
  return {
    title: "Call a blockchain",
    description:
      "Sends one JSON-RPC call to a blockchain network, such as eth_blockNumber. Gives the JSON-RPC response as JSON text, in which amounts are hexadecimal, in wei. Its member decoded has what is known of the values, by their paths: decimals with units, times, events, calldata and reasons of reverts.",
    parameters: chainParameters,
    summary: (input) => `Call ${inputText(input, "method")} on ${inputText(input, "network")}`,
    async run(input, { client }, signal) {
      const params = Array.isArray(input.params) ? input.params : [];
      const [network, method] = [inputText(input, "network"), inputText(input, "method")];
      const body = { jsonrpc: "2.0" as const, id: 1, method, params };
      const hasLocalNode = await chain.hasLocalNode();
      const send = async () => {
        if (network === localNetwork && hasLocalNode) return chain.sendLocally(body, signal);
        const service = await client();
        await checkNetwork(network, service, hasLocalNode, signal);
        return service.api.rpc.call({ network, body }, { signal });
      };
      const answer = await send();
      // What can't be decoded is still answered, and may have been paid for.
      const decoded = await chain.decode({ network, method, params }, answer).catch(() => ({}));
      return exactJsonText(Object.keys(decoded).length === 0 ? answer : { ...membersOf(answer), decoded }, 2);
    },
  };
}

/** Methods for which the node signs, or that only a test node has: the caller would not hold the key. */
const nodeSigns =
  /^(?:personal|wallet|miner|admin|anvil|hardhat|evm)_|^\w+_sendTransaction|sign(?!ature)|submit|airdrop/i;

export function signsOnNode(method: string): boolean {
  return nodeSigns.test(method.trim());
}

/**
 * What a call of this method does. Only a described method counts as reading; for `unknown` the user has to be asked each
 * time. Throws Refusal for a method that a node executes with an account of its own, and for a misspelled one.
 */
export function effectOfCall(method: string): MethodEffect {
  if (signsOnNode(method))
    throw new Refusal(
      `${method} was refused, because the node would sign with an account of its own. Sign the transaction first, and send it with eth_sendRawTransaction.`,
    );
  const effect = effectOf(method);
  const meant = effect === "unknown" ? methodSpelled(method) : undefined;
  if (meant)
    throw new Refusal(`${method} was refused, because names of methods are exact. Use ${meant.name}.`);
  return effect;
}

/** For the user's decision about a call of a method without a description. */
export const unknownEffect =
  "It is not known whether this method only reads: it may change the chain or the node.";

const longestParameters = 1_000;

/** The parameters of a call as they are sent, for the user's decision. */
export function parametersText({ params }: ToolInput): string {
  const json = exactJsonText(Array.isArray(params) ? params : []);
  const more = json.length - longestParameters;
  return more > 0 ? `${json.slice(0, longestParameters)}… (${more} more characters)` : json;
}

function checkAddress(input: ToolInput, { root }: Client): void {
  const problem = urlProblemAt(root, addressOf(input));
  if (problem) throw new Refusal(`Nothing was sent. ${problem.sentence}`);
}

/** The URL as it is sent. */
export function addressOf(input: ToolInput): string {
  const url = inputText(input, "url");
  return sentUrl(url) ?? url;
}

/** Characters of a normal path; a longer one may carry data away. */
const longestPath = 200;

/**
 * The scope of an approval for several pages: their site. A URL that can carry data away is a scope of its own, because
 * the model may put text of the workspace's files into it.
 */
export function approvalSite(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, search, hash, pathname } = new URL(address);
  return search === "" && hash === "" && pathname.length <= longestPath ? origin : address;
}
