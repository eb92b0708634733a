import assert from "node:assert/strict";
import { test } from "node:test";
import { toBytes } from "../../../src/api/binary.ts";
import type { Api } from "../../../src/api/call/client.ts";
import { type DialectId, dialects } from "../../../src/api/dialect/dialect.ts";
import { collect } from "../../../src/api/stream/chatAnswer.ts";
import type { Table } from "../../../src/api/table.ts";
import { usageCsv } from "../../../src/api/usageCsv.ts";
import { optionalMember } from "../../../src/shared/members.ts";
import { sampleOf } from "./sample.ts";
import { type RowName, rows, serviceOf } from "./service.ts";
import { readHeaders, sentHeaders } from "./table/headers.ts";

/** Remembers the names that were read. */
class AskedHeaders extends Headers {
  readonly names = new Set<string>();

  override get = (name: string): string | null => {
    this.names.add(name.toLowerCase());
    return Headers.prototype.get.call(this, name);
  };
}

const sample = (row: RowName) => ({ [row]: sampleOf(rows[row].output, () => undefined) });

const range = { start: "2031-01-01T00:00:00Z", end: "2031-01-02T00:00:00Z" };
const body = { jsonrpc: "2.0", method: "eth_blockNumber", id: 1 } as const;
const question = { model: "model-1", messages: [{ role: "user" as const, content: "Why?" }] };

/** A call for each way to read a reply. */
const calls: readonly ((api: Api<Table>) => Promise<unknown>)[] = [
  (api) => api.augment.search({ query: "foxes" }),
  (api) => api.rpc.call({ network: "base-mainnet", body }),
  (api) => api.images.generate({ prompt: "a fox" }),
  async (api) => toBytes(await api.audio.speech({ input: "Words", model: "narrator" })),
  async (api) => collect(await api.chat.stream(question)),
  async (api) => {
    for await (const { pageEnd } of usageCsv(api, range)) assert.ok(pageEnd?.next === undefined);
  },
];

const replies = {
  ...sample("augment.search"),
  ...sample("images.generate"),
  "rpc.call": { jsonrpc: "2.0", id: 1, result: "0x1" },
  "audio.speech": new Uint8Array([1, 2, 3]),
  "chat.stream": { choices: [] },
  "billing.usageCsv": "timestamp,sku\n",
  "billing.historyCsv": "timestamp,sku\n",
};

const statuses = [200, 301, 401, 402, 403, 404, 410, 429, 503];

/** Makes each call in a dialect with replies of a status, and returns the names of the headers that were sent. */
async function namesSent(dialect: DialectId, status: number, headers: Headers): Promise<string[]> {
  const signIn = status === 200 ? "sign-in" : undefined;
  const { api, sent } = serviceOf(replies, { dialect, status, headers, ...optionalMember("signIn", signIn) });
  // One after the other, because all replies have the same headers. Most of them are errors.
  for (const call of calls) await call(api).catch(() => undefined);
  return sent.flatMap((request) => Object.keys(request.headers));
}

test("every header that the client reads or sends has a place, and every place a header", async () => {
  const headers = new AskedHeaders([["content-length", "3"]]);
  const sentNames = new Set<string>();
  for (const dialect of Object.keys(dialects) as DialectId[])
    for (const status of statuses)
      for (const name of await namesSent(dialect, status, headers)) sentNames.add(name);
  assert.deepEqual([...headers.names].sort(), Object.keys(readHeaders).sort());
  assert.deepEqual([...sentNames].sort(), Object.keys(sentHeaders).sort());
});
