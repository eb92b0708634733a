// Contestants of the benchmark `rpc-batch`. Each returns the number of answers.
import { Agent, request } from "undici";
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { type RpcItem, rpc } from "../../../src/api/endpoints/rpc.ts";
import { createUndiciTransport } from "../../../src/api/transport/undici.ts";
import type { Prepare } from "../interleave.ts";

export interface RpcBatches {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly batches: number;
  readonly batchSize: number;
}

/** Posts the same bytes and parses the replies, without a client. */
export const raw: Prepare<RpcBatches> = (given) => {
  const dispatcher = new Agent();
  const body = JSON.stringify(itemsOf(given));
  return async () => {
    let answered = 0;
    for (let batch = 0; batch < given.batches; batch++) {
      const headers = {
        "content-type": "application/json",
        authorization: `Bearer ${given.apiKey}`,
        "idempotency-key": crypto.randomUUID(),
      };
      const url = `${given.baseUrl}/crypto/rpc/ethereum-mainnet`;
      const reply = await request(url, { method: "POST", headers, body, dispatcher });
      answered += ((await reply.body.json()) as unknown[]).length;
    }
    return answered;
  };
};

export const ours: Prepare<RpcBatches> = (given) => {
  const transport = createUndiciTransport();
  const options = {
    baseUrl: given.baseUrl,
    apiKey: async () => given.apiKey,
    dialect: dialects.standard,
    timeouts: defaultTimeouts,
  };
  const body = itemsOf(given);
  return async () => {
    // A new client in each round, because a client sends at most 100 of these requests a minute.
    const api = createApi({ rpc }, transport, options);
    let answered = 0;
    for (let batch = 0; batch < given.batches; batch++) {
      const answers = await api.rpc.call({ network: "ethereum-mainnet", body });
      answered += Array.isArray(answers) ? answers.length : 1;
    }
    return answered;
  };
};

function itemsOf({ batchSize }: RpcBatches): RpcItem[] {
  return Array.from({ length: batchSize }, (_, id) => ({
    jsonrpc: "2.0" as const,
    id,
    method: "eth_getBalance",
    params: ["0x00000000000000000000000000000000000000aa", "latest"],
  }));
}
