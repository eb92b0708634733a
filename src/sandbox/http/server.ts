import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createFaultPlan, type FaultPlan, type Faults, faultOf } from "../faults/faults.ts";
import { faultyBytes, resizes } from "../faults/replyFaults.ts";
import { type Arrived, answer, type Desk } from "./answer.ts";
import { docsPage } from "./docsPage.ts";
import { bodyText, readBody } from "./readBody.ts";
import type { OpenEntry, RequestLog } from "./requestLog.ts";
import { modelIn } from "./visit.ts";
import { writeReply } from "./writeReply.ts";

const root = "/api/v1";

export interface SandboxServer {
  readonly port: number;
  setFaults(faults: Faults): void;
  /** Cuts all connections; resolves when the port is free. */
  close(): Promise<void>;
}

/** Serves the routes on the loopback address. */
export async function startServer(desk: Desk, log: RequestLog, port: number): Promise<SandboxServer> {
  let plan: FaultPlan = createFaultPlan([]);
  // A fetch that keeps its connection must not find it closed just as it sends: an idle minute is let be.
  const server = createServer({ keepAliveTimeout: 60_000 }, (message, res) => {
    void exchange({ desk, log, plan }, message, res);
  });
  await listening(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    setFaults(faults) {
      plan = createFaultPlan(faults);
    },
    close: () => closed(server),
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

interface Shop {
  readonly desk: Desk;
  readonly log: RequestLog;
  readonly plan: FaultPlan;
}

/** One request and its answer; whatever happens, it ends with the answer or with the connection. */
async function exchange(shop: Shop, message: IncomingMessage, res: ServerResponse): Promise<void> {
  const entry = shop.log.open(message);
  const controller = new AbortController();
  let cut = false;
  res.once("close", () => {
    const aborted = !res.writableFinished && !cut;
    controller.abort();
    entry.end(aborted);
  });
  try {
    await respond(shop, message, res, entry, controller.signal);
  } catch {
    // A fault asked for it, the caller is gone, or the answer broke after its headers: no words can be sent.
    cut = !controller.signal.aborted;
    res.destroy();
  }
}

async function respond(
  shop: Shop,
  message: IncomingMessage,
  res: ServerResponse,
  entry: OpenEntry,
  signal: AbortSignal,
): Promise<void> {
  const { desk, plan } = shop;
  const { state } = desk;
  const { pathname, searchParams: query } = new URL(message.url ?? "/", "http://127.0.0.1");
  const request = {
    ...(await arrive(message, pathname, entry)),
    query,
    requestId: state.ids.hex(32),
    signal,
  };
  const { method, body } = request;
  const faults = plan.strike({ method, path: pathname, model: modelIn(body) });
  const page = method === "GET" ? docsPage(state.library, pathname) : undefined;
  const reply = page ?? (await answer(desk, request, faults));
  entry.answered(reply.status);
  await writeReply(res, reply, {
    acceptEncoding: String(message.headers["accept-encoding"] ?? ""),
    eol: faultOf(faults, "crlf") ? "\r\n" : "\n",
    signal,
    sized: !resizes(faults),
    reshape: (pieces) => faultyBytes(pieces, faults, signal),
  });
}

async function arrive(
  message: IncomingMessage,
  pathname: string,
  entry: OpenEntry,
): Promise<Pick<Arrived, "method" | "path" | "headers" | "body">> {
  const body = await readBody(message);
  entry.arrived(bodyText(body));
  const path = pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : undefined;
  const { headers, method = "GET" } = message;
  return { method, path, headers, body };
}
