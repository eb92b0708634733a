import { stat } from "node:fs/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport, SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { redact } from "../../../../api/errors/redact.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { messageOf } from "../../../../shared/messageOf.ts";
import { untilAborted } from "../../../../shared/untilAborted.ts";
import type { ProgramStart, RemoteStart } from "../config/fillIn.ts";
import { boundedFetch } from "./boundedFetch.ts";
import { deniedText, httpStatusOf } from "./httpStatus.ts";
import { type ServerLimits, serverLimits } from "./limits.ts";
import { ProgramTransport } from "./programTransport.ts";
import { type ConnectionHost, ServerConnection } from "./serverConnection.ts";

/** The server can't be used as long as its entry has these headers, or these values of inputs. */
export class RefusedByServer extends Refusal {
  override readonly name = "RefusedByServer";
}

/** Starts or reaches a server, and reads its tools. Rejects with a Refusal that says why that has failed. */
export async function openServer(
  start: ProgramStart | RemoteStart,
  host: ConnectionHost,
  signal: AbortSignal,
  limits: ServerLimits = serverLimits,
): Promise<ServerConnection> {
  const whole = AbortSignal.any([signal, AbortSignal.timeout(limits.startMs)]);
  try {
    if (start.kind === "program") return await openProgram(start, host, whole, limits);
    return await openRemote(start, host, whole, limits);
  } catch (error) {
    signal.throwIfAborted();
    if (whole.aborted) throw new Refusal(`It did not answer within ${limits.startMs / 1000} s.`);
    if (error instanceof Refusal) throw error;
    throw new Refusal(redact(messageOf(error), start.secrets));
  }
}

async function openProgram(
  start: ProgramStart,
  host: ConnectionHost,
  signal: AbortSignal,
  limits: ServerLimits,
): Promise<ServerConnection> {
  const isFolder = await stat(start.folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  // The system says of both that the program is missing.
  if (!isFolder)
    throw new Refusal(`There is no folder ${start.folder} to run it in. Correct its cwd in mcp.json.`);
  const transport = new ProgramTransport(start, limits, (text) => host.printed(text));
  const how = { kill: () => transport.kill(), end: () => transport.end };
  try {
    return await connect(transport, how, { host, signal, limits });
  } catch (error) {
    const { end, hasEnded } = transport;
    transport.kill();
    if (signal.aborted || !hasEnded) throw error;
    const [program] = start.command;
    if (end === `spawn ${program} ENOENT`)
      throw new Refusal(`There is no program ${program}. Install it, or write its whole path into mcp.json.`);
    throw new RefusedByServer(`It could not be started: ${end}`);
  }
}

async function openRemote(
  start: RemoteStart,
  host: ConnectionHost,
  signal: AbortSignal,
  limits: ServerLimits,
): Promise<ServerConnection> {
  const context = { host, signal, limits };
  if (start.isOld) return refusedWell(openOld(start, context));
  try {
    return await openCurrent(start, context);
  } catch (error) {
    // A server of the older transport answers so to a request that it does not know.
    const isOld = [400, 404, 405].includes(httpStatusOf(error));
    return refusedWell(isOld ? openOld(start, context) : Promise.reject(error));
  }
}

async function openCurrent(start: RemoteStart, context: ConnectContext): Promise<ServerConnection> {
  const { options, how } = remoteOptions(start, context);
  const transport = new StreamableHTTPClientTransport(start.url, options);
  const connection = await connect(transport, how, context);
  connection.onClose = () => transport.terminateSession();
  return connection;
}

async function openOld(start: RemoteStart, context: ConnectContext): Promise<ServerConnection> {
  const { options, how } = remoteOptions(start, context);
  const transport = new SSEClientTransport(start.url, options);
  const connection = await connect(transport, how, context);
  const heard = transport.onerror;
  transport.onerror = (error) => {
    heard?.(error);
    // The end of its stream of events. It would be opened again, but the answers to what was sent come no more, and the
    // server knows nothing of this client.
    if (error instanceof SseError) void transport.close();
  };
  return connection;
}

/** Ending a connection ends its requests. */
function remoteOptions({ headers }: RemoteStart, { limits }: ConnectContext) {
  const ended = new AbortController();
  return {
    options: { requestInit: { headers }, fetch: boundedFetch(limits.messageBytes, ended.signal) },
    how: { kill: () => ended.abort(), end: () => "its connection was closed" },
  };
}

async function refusedWell(opening: Promise<ServerConnection>): Promise<ServerConnection> {
  try {
    return await opening;
  } catch (error) {
    const status = httpStatusOf(error);
    if (status === 401 || status === 403) throw new RefusedByServer(deniedText(status));
    throw error;
  }
}

interface ConnectContext {
  readonly host: ConnectionHost;
  readonly signal: AbortSignal;
  readonly limits: ServerLimits;
}

async function connect(
  transport: Transport,
  how: { kill(): void; end(): string },
  { host, signal, limits }: ConnectContext,
): Promise<ServerConnection> {
  const client = new Client(
    { name: "inference-workbench", title: "Inference Workbench", version: host.version },
    {
      capabilities: { roots: { listChanged: true }, elicitation: { form: {}, url: {} } },
      // Results are read as they are: no schema of a server is compiled.
      jsonSchemaValidator: {
        getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
      },
    },
  );
  const connection = new ServerConnection(client, host, limits, how);
  try {
    const opening = client.connect(transport, { signal, timeout: limits.startMs });
    await untilAborted(opening, signal);
    await untilAborted(connection.readTools(signal), signal);
    return connection;
  } catch (error) {
    connection.kill();
    void client.close().catch(() => {});
    throw error;
  }
}
