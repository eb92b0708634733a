import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import type { LinkTool } from "../../../../shared/mcpLink.ts";
import { serviceToolNames } from "../../../../shared/names/ids.ts";
import { pictureApp } from "./pictureApp.ts";
import { LinkError } from "./windowLink.ts";
import type { ClientInfo, Windows } from "./windows.ts";

const instructions =
  "Tools of the inference service that the user has connected in VS Code. Calls run through the open window of VS Code, which asks the user before it spends money or writes to a chain. Prices are in USD. A refused call must not be repeated without the user's wish.";

/** While a call waits, a client that asked for progress hears this often of it, so that it does not give up. */
const progressMs = 10_000;

/** Serves MCP over a transport. Resolves when the connection is open. */
export async function serveMcp(windows: Windows, version: string, transport: Transport): Promise<Server> {
  const server = new Server(
    { name: "inference-workbench", title: "Inference Workbench", version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      // Checks answers to questions that a server asks the client. This one asks none, and the validator is 100 KB.
      jsonSchemaValidator: { getValidator: () => refuseSchema },
    },
  );
  const client = (): ClientInfo => {
    const { name = "", version: of = "" } = server.getClientVersion() ?? {};
    return { name, version: of };
  };
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: (await windows.tools(client())).map(toMcpTool),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, _meta }) => {
    const tools = await windows.tools(client());
    if (!tools.some(({ name }) => name === params.name))
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const token = _meta?.progressToken;
    const progress = startProgress((progress, message) => {
      if (token === undefined) return;
      const method = "notifications/progress" as const;
      sendNotification({ method, params: { progressToken: token, progress, message } }).catch(() => {});
    });
    try {
      const link = await windows.link(client());
      return { ...(await link.call(params.name, params.arguments ?? {}, signal, progress.say)) };
    } catch (error) {
      if (error instanceof LinkError) return toErrorResult(error);
      throw error;
    } finally {
      progress.end();
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: [pictureApp.resource] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    // -32002 is the code of a resource that does not exist (specification 2025-11-25, server/resources).
    if (uri !== pictureApp.resource.uri) throw new McpError(-32002, `Unknown resource: ${uri}`);
    return { contents: [pictureApp.content] };
  });
  await server.connect(transport);
  return server;
}

function toMcpTool({ name, title, description, inputSchema, isReadOnly }: LinkTool): Tool {
  const showsPicture = name === serviceToolNames.generateImage || name === serviceToolNames.editImage;
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    annotations: { title, readOnlyHint: isReadOnly, openWorldHint: true },
    ...(showsPicture ? { _meta: pictureApp.toolMeta } : {}),
  };
}

function toErrorResult({ message }: LinkError): CallToolResult {
  return { content: [{ type: "text", text: message }], isError: true };
}

/** Counts up with each message, and repeats the last one while nothing changes. */
function startProgress(send: (progress: number, message: string) => void) {
  let count = 0;
  let last = "Running";
  const say = (text: string) => {
    last = text;
    send(++count, text);
  };
  const timer = setInterval(() => say(last), progressMs);
  return { say, end: () => clearInterval(timer) };
}

function refuseSchema() {
  return { valid: false as const, data: undefined, errorMessage: "The server checks no schemas." };
}
