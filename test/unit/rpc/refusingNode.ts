import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { findAnvil, startNode } from "../../../src/platform/process/anvil.ts";

/** A real node behind a proxy that can refuse methods. */
export interface RefusingNode {
  readonly url: string;
  /** Methods that the proxy answers with "method not found". */
  refused: readonly string[];
  /** The methods that passed the proxy, in order. */
  readonly passed: string[];
  /** Asks the node itself. Throws if it answers an error. */
  ask(method: string, ...params: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

interface JsonCall {
  readonly id: number;
  readonly method: string;
}

export async function openRefusingNode(): Promise<RefusingNode> {
  const binary = await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH });
  assert.ok(binary, "anvil is missing: run npm ci");
  const genesis = { chainId: 31_337, genesisMs: Date.UTC(2026, 0, 1) };
  const node = await startNode(binary, genesis, new AbortController().signal);
  const post = async (body: string) => {
    const headers = { "content-type": "application/json" };
    return (await fetch(`http://127.0.0.1:${node.port}`, { method: "POST", headers, body })).text();
  };
  const answer = async (call: JsonCall): Promise<unknown> => {
    const { id, method } = call;
    if (!proxy.refused.includes(method)) {
      proxy.passed.push(method);
      return JSON.parse(await post(JSON.stringify(call)));
    }
    return { jsonrpc: "2.0", id, error: { code: -32_601, message: `the method ${method} does not exist` } };
  };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString());
    const answers = await Promise.all([body].flat().map((call) => answer(call as JsonCall)));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: RefusingNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: [],
    passed: [],
    async ask(method, ...params) {
      const text = await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
      const { result, error } = JSON.parse(text) as { result: unknown; error?: unknown };
      assert.equal(error, undefined, `${method}: ${text}`);
      return result;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      await node.close();
    },
  };
  return proxy;
}
