import { uploadFromBytes } from "../../../api/upload.ts";
import { placeInside } from "../../../platform/placeInside.ts";
import type { Session } from "../../../session/session.ts";
import { exactJsonText } from "../../../shared/exactJson.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { urlProblemAt } from "../../../shared/urlProblem.ts";
import { type ChatTool, inputText, type ToolInput, ToolRefusal } from "./tool.ts";

/** Files of the workspace, by paths relative to it with `/`. Paths and links that lead outside are refused. */
export interface WorkspaceFiles {
  /** Refuses a larger file. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /** Names in a folder; names of subfolders end with `/`. */
  list(path: string): Promise<readonly string[]>;
  /** Paths of the files to search, at most `limit`. */
  all(limit: number, signal: AbortSignal): Promise<readonly string[]>;
}

/** Requests to the service that tools make. */
export interface ServiceActions {
  search(query: string, signal: AbortSignal): Promise<string>;
  scrape(url: string, signal: AbortSignal): Promise<string>;
  parse(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<string>;
  /** Sends one JSON-RPC call; resolves to the response as JSON. */
  rpc(network: string, method: string, params: readonly unknown[], signal: AbortSignal): Promise<string>;
}

const text = (description: string) => ({ type: "string", minLength: 1, description });
const inputs = (properties: Readonly<Record<string, unknown>>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const perCall = "$0.01 a call";

/** Tools that every conversation can use. */
export function createBuiltInTools(files: WorkspaceFiles, service: ServiceActions): readonly ChatTool[] {
  return [...workspaceTools(files), ...serviceTools(files, service)].map((tool) => ({
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
      title: "Read a file",
      description: "Reads a text file of the workspace.",
      parameters: inputs({ path: text("Path relative to the workspace, with /.") }),
      summary: (input) => `Read ${inputText(input, "path")}`,
      run: async (input) => decoded(await readOpen(files, inputText(input, "path"))),
    },
    {
      name: "list_files",
      title: "List a folder",
      description: "Lists the files and folders in a folder of the workspace. Folders end with /.",
      parameters: inputs({
        path: { type: "string", description: "Path of the folder; empty for the workspace." },
      }),
      summary: (input) => `List ${inputText(input, "path") || "the workspace"}`,
      run: async (input) => (await files.list(inputText(input, "path"))).join("\n") || "The folder is empty.",
    },
    {
      name: "search_workspace",
      title: "Search the workspace",
      description: "Finds lines that contain a text, whatever its case, in the files of the workspace.",
      parameters: inputs({ query: text("The text to find.") }),
      summary: (input) => `Search the workspace for “${inputText(input, "query")}”`,
      run: (input, signal) => searchFiles(files, inputText(input, "query"), signal),
    },
  ];
}

/** Tools that send a billed request. */
function serviceTools(files: WorkspaceFiles, service: ServiceActions): readonly BuiltInTool[] {
  return [
    {
      name: "parse_document",
      title: "Read a document",
      description: "Gives the text of a PDF, DOCX, PPTX or XLSX file of the workspace.",
      parameters: inputs({ path: text("Path relative to the workspace, with /.") }),
      price: perCall,
      summary: (input) => `Send ${inputText(input, "path")} to the service's document parser`,
      run: async (input, signal) => {
        const path = inputText(input, "path");
        return service.parse(path.slice(path.lastIndexOf("/") + 1), await readOpen(files, path), signal);
      },
    },
    {
      name: "search_web",
      title: "Search the web",
      description: "Searches the web. Gives titles, addresses and what the pages say.",
      parameters: inputs({ query: text("What to search for.") }),
      price: perCall,
      summary: (input) => `Search the web for “${inputText(input, "query")}”`,
      run: (input, signal) => service.search(inputText(input, "query"), signal),
    },
    {
      name: "read_page",
      title: "Read a web page",
      description: "Gives the text of a web page as Markdown.",
      parameters: inputs({ url: { ...text("The page's address."), pattern: "^https?://" } }),
      price: perCall,
      summary: (input) => `Read ${addressOf(input)}`,
      scope: (input) => siteOf(addressOf(input)),
      run: (input, signal) => service.scrape(addressOf(input), signal),
    },
    {
      name: "call_chain",
      title: "Call a blockchain",
      description: "Sends one read-only JSON-RPC call to a blockchain network, such as eth_blockNumber.",
      parameters: inputs(
        {
          network: text("The network, such as ethereum-mainnet."),
          method: text("The method."),
          params: { type: "array", description: "Its parameters." },
        },
        ["network", "method"],
      ),
      price: "credits by the method",
      summary: (input) => `Call ${inputText(input, "method")} on ${inputText(input, "network")}`,
      run: (input, signal) => {
        const method = inputText(input, "method");
        if (writes.test(method))
          throw new ToolRefusal(`${method} was refused: tools must not send transactions.`);
        const params = Array.isArray(input.params) ? input.params : [];
        return service.rpc(inputText(input, "network"), method, params, signal);
      },
    },
  ];
}

/** Methods that change a chain or ask a node to sign; "sender" also occurs in harmless names. */
const writes =
  /send(?!er)|submit|sign(?!ature)|^(personal|wallet|miner|admin|anvil|hardhat|evm)_|^starknet_add|airdrop/i;

/** The URL as it is sent: the host is in ASCII, so look-alike letters are visible. */
function addressOf(input: ToolInput): string {
  const url = inputText(input, "url");
  return URL.canParse(url) ? new URL(url).href : url;
}

/** Characters of a normal path; a longer one may carry data away. */
const longestPath = 200;

/**
 * The scope of an approval for several pages: their site. A URL that can carry data away is a scope of its own, because
 * the model may put text of the workspace's files into it.
 */
function siteOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, search, hash, pathname } = new URL(address);
  return search === "" && hash === "" && pathname.length <= longestPath ? origin : address;
}

/** Limit of a document (spec E9); far less of a text goes to the model. */
const maxReadBytes = 25 * 1024 * 1024;

async function readOpen(files: WorkspaceFiles, path: string): Promise<Uint8Array> {
  if (looksSecret(path))
    throw new ToolRefusal(`${path} looks like a file of keys or passwords: tools must not read it.`);
  return files.read(path, maxReadBytes);
}

function decoded(bytes: Uint8Array): string {
  if (bytes.subarray(0, 8000).includes(0)) throw new ToolRefusal("The file is not a text file.");
  return new TextDecoder().decode(bytes);
}

/** Limits of a search: files, bytes per file, and found lines. */
const searchBounds = { files: 5000, bytes: 1_000_000, lines: 100 };
const lineLength = 300;

async function searchFiles(files: WorkspaceFiles, query: string, signal: AbortSignal): Promise<string> {
  const needle = query.toLowerCase();
  const found: string[] = [];
  for (const path of await files.all(searchBounds.files, signal)) {
    signal.throwIfAborted();
    if (looksSecret(path)) continue;
    const bytes = await files.read(path, searchBounds.bytes).catch(() => undefined);
    if (!bytes || bytes.subarray(0, 8000).includes(0)) continue;
    const lines = new TextDecoder().decode(bytes).split("\n");
    for (const [index, line] of lines.entries()) {
      if (!line.toLowerCase().includes(needle)) continue;
      found.push(`${path}:${index + 1}: ${line.trim().slice(0, lineLength)}`);
      if (found.length === searchBounds.lines) return [...found, "(more lines were left out)"].join("\n");
    }
  }
  return found.length > 0 ? found.join("\n") : `Nothing contains “${query}”.`;
}

const resultsOfSearch = 8;

/** The service calls that the built-in tools make. */
export function createServiceActions(session: Pick<Session, "client">): ServiceActions {
  return {
    async search(query, signal) {
      const { api } = await session.client({ kind: "chat" });
      const { results } = await api.augment.search({ query, limit: resultsOfSearch }, { signal });
      if (results.length === 0) return "Nothing was found.";
      return results
        .map(({ title, url, date, content }) => `# ${title}\n${url}${date ? ` (${date})` : ""}\n${content}`)
        .join("\n\n");
    },
    async scrape(url, signal) {
      const { api, root } = await session.client({ kind: "chat" });
      const problem = urlProblemAt(root, url);
      if (problem) throw new ToolRefusal(`Nothing was sent. ${problem.sentence}`);
      return (await api.augment.scrape({ url }, { signal })).content;
    },
    async parse(name, bytes, signal) {
      const { api } = await session.client({ kind: "chat" });
      const file = uploadFromBytes(name, "application/octet-stream", bytes);
      return (await api.augment.parse({ file }, { signal })).text;
    },
    async rpc(network, method, params, signal) {
      const { api } = await session.client({ kind: "chat" });
      const body = { jsonrpc: "2.0" as const, id: 1, method, params: [...params] };
      return exactJsonText(await api.rpc.call({ network, body }, { signal }), 2);
    },
  };
}

/** Throws if a path of the workspace is a link to a file outside of it, or to a file of secrets. */
export async function checkPlace(folders: readonly string[], file: string, shown: string): Promise<void> {
  // A missing file is reported by the read that follows.
  const place = await placeInside(folders, file).catch(() => "");
  if (place === undefined) throw new ToolRefusal(`${shown} is a link that leads out of the workspace.`);
  if (looksSecret(place)) throw new ToolRefusal(`${shown} is a link to a file of keys or passwords.`);
}
