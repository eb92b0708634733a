import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import { type NodeReply, objectOf } from "../simulate/simulate.ts";

/** A JSON-RPC server on the loopback address for one node. */
export interface ForkProxy {
  /** Contains a secret, without which nothing is answered. */
  readonly url: string;
  close(): void;
}

/** The largest request in bytes. A read has a few hundred. */
const mostBytes = 100_000;

/** Opens a server whose calls `answer` answers; it must not throw. */
export async function openForkProxy(
  answer: (method: string, params: readonly unknown[]) => Promise<NodeReply>,
): Promise<ForkProxy> {
  const path = `/${randomBytes(24).toString("hex")}`;
  const one = async (call: unknown) => {
    const { id = null, method, params } = objectOf(call) ?? {};
    const reply = await answer(String(method), Array.isArray(params) ? params : []);
    return { jsonrpc: "2.0", id, ...reply };
  };
  const server = createServer(async (request, response) => {
    // A browser names the origin of a page.
    const isNode = request.method === "POST" && request.url === path && request.headers.origin === undefined;
    const calls = isNode ? await readCalls(request) : undefined;
    if (calls === undefined) {
      response.writeHead(404).end();
      request.destroy();
      return;
    }
    const replies = Array.isArray(calls) ? await Promise.all(calls.map(one)) : await one(calls);
    response.writeHead(200, { "content-type": "application/json" }).end(exactJsonText(replies));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Undefined if the body is too large, ends early, or is no JSON. */
async function readCalls(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > mostBytes) return undefined;
      pieces.push(piece);
    }
    return JSON.parse(Buffer.concat(pieces).toString());
  } catch {
    return undefined;
  }
}
