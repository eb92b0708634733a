import type { Api, ClientEvent, Exchange } from "../../../api/client.ts";
import type { Table } from "../../../api/table.ts";
import { untilAborted } from "../../../platform/untilAborted.ts";
import type { RpcItem, Sender, SendOptions, Sent } from "./sender.ts";

/**
 * Sends by way of the service, one request after the other: a second one of the same caller is turned away meanwhile
 * (wire.md section 9). Each request has an Idempotency-Key of its own, which its resends share.
 */
export function createServiceSender(api: () => Promise<Pick<Api<Table>, "rpc">>): Sender {
  let before: Promise<unknown> = Promise.resolve();
  return {
    async send(network, body, options) {
      const turn = before;
      const mine = Promise.withResolvers<void>();
      before = mine.promise;
      try {
        await untilAborted(turn, options.signal);
        const { rpc } = await api();
        return await sendNow(rpc, network, body as RpcItem | RpcItem[], options);
      } finally {
        // Whoever gives up waiting passes the turn on when it comes.
        void turn.then(() => mine.resolve());
      }
    },
  };
}

async function sendNow(
  rpc: Api<Table>["rpc"],
  network: string,
  body: RpcItem | RpcItem[],
  options: SendOptions,
): Promise<Sent> {
  const exchanges: Exchange[] = [];
  const observe = (event: ClientEvent) => void (event.type === "exchange" && exchanges.push(event));
  const startMs = performance.now();
  const idempotencyKey = crypto.randomUUID();
  const answer = await rpc.call({ network, body, idempotencyKey }, { ...options, observe });
  const ms = performance.now() - startMs;
  const { charge, requestId, status } = exchanges.at(-1) ?? {};
  return {
    answer,
    ms,
    resends: exchanges.length - 1,
    replayed: charge?.replayed ?? false,
    ...(charge?.credits === undefined ? {} : { credits: charge.credits }),
    ...(charge?.usd === undefined ? {} : { usd: charge.usd }),
    ...(requestId ? { requestId } : {}),
    ...(status === undefined ? {} : { status }),
  };
}
