import { isTooDeep, maxAnswerBytes, readText } from "../../api/call/body/readText.ts";
import type { Api, ClientEvent, Exchange } from "../../api/call/client.ts";
import { createDeadline } from "../../api/call/limits/deadline.ts";
import { type RpcAnswer, RpcAnswers, type RpcItem } from "../../api/endpoints/rpc.ts";
import { ApiError, isApiError } from "../../api/errors/errors.ts";
import { classifyThrown } from "../../api/errors/networkError.ts";
import type { Table } from "../../api/table.ts";
import { createHostTransport } from "../../api/transport/host.ts";
import type { TransportRequest, TransportResponse } from "../../api/transport/transport.ts";
import { isLoopback } from "../../session/connection/baseUrl.ts";
import type { Session } from "../../session/session.ts";
import { settings } from "../../shared/names/ids.ts";
import { localNetwork } from "../../shared/rpc/networks.ts";
import { parseAnswer } from "../../shared/text/json/answerJson.ts";
import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import { untilAborted } from "../../shared/untilAborted.ts";
import type { RpcCall } from "../output/rpcRun.ts";
import type { NodeCall, NodeReply } from "../simulate/simulate.ts";

export type { RpcAnswer, RpcItem };

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Never retried automatically, because it moves money. */
  readonly once: boolean;
  /** The JSON text of the body as the user wrote it, which is sent in its place. */
  readonly bodyText?: string;
  /** The user's idempotency key. The node on this machine gets none. */
  readonly key?: string;
  /** The id of the caller in the spend ledger: a URI of the notebook. */
  readonly caller?: string;
  /** Removes secrets from what is recorded of the request. */
  readonly hide?: (text: string) => string;
  /** The response has a secret, so it is not recorded. */
  readonly hasSecretReply?: true;
}

/** A completed HTTP request. */
export interface Sent extends Omit<RpcCall, "network" | "items"> {
  readonly answer: RpcAnswer | readonly RpcAnswer[];
}

/** Sends requests to a node, through the service or directly to one on this machine. */
export interface Sender {
  /** Throws ApiError. */
  send(network: string, body: RpcItem | readonly RpcItem[], options: SendOptions): Promise<Sent>;
}

/** The part of the client that sends. */
export type RpcApi = Pick<Api<Table>, "rpc">;

/** The API for the calls of one caller, so that the ledger can name the notebook. */
type ApiOfCaller = (caller: string | undefined) => Promise<RpcApi>;

/** Uses a node on this machine for `local`, else the service. `transport` is that to the node. */
/** How to change the address of the node. */
const editorAdvice = `The setting ${settings.rpcLocalNode} changes the address.`;

export function createSender(
  api: ApiOfCaller,
  localNode: () => string,
  transport: LocalTransport = createHostTransport(),
  advice = editorAdvice,
): Sender {
  const service = createServiceSender(api);
  let checked = "";
  const local = createLocalSender(
    transport,
    () => {
      const address = localNode();
      if (address !== checked) checked = loopbackOnly(address);
      return checked;
    },
    advice,
  );
  return {
    send: (network, body, options) =>
      (network === localNetwork ? local : service).send(network, body, options),
  };
}

/** Sends one call of an agent to the node at this address. Throws ApiError. */
export async function sendToLocalNode(address: string, body: RpcItem, signal: AbortSignal): Promise<unknown> {
  const url = loopbackOnly(address);
  const sent = await createLocalSender(createHostTransport(), () => url).send(localNetwork, body, {
    signal,
    once: true,
  });
  return sent.answer;
}

/** Throws if the address is not on this machine, because local calls need no confirmation. */
function loopbackOnly(address: string): string {
  if (isLoopback(address)) return address;
  const message = `the setting ${settings.rpcLocalNode} must be an address of this machine, such as http://127.0.0.1:8545`;
  throw new ApiError("invalid-request", message, { mayHaveArrived: false });
}

/** Sends for one run, with its caller id, over the connection that was active at its start. */
export function createRunSender(sender: Sender, session: Pick<Session, "active">, caller: string): Sender {
  const startedWith = session.active?.id;
  return {
    async send(network, body, options) {
      // The costs of a run are in the money of one service.
      if (network !== localNetwork && session.active?.id !== startedWith) throw connectionChanged();
      return sender.send(network, body, { ...options, caller });
    },
  };
}

function connectionChanged(): ApiError {
  const message = "the connection was changed during the run. Run the cell again to use the new one";
  return new ApiError("cancelled", message, { mayHaveArrived: false });
}

/**
 * Sends through the service, one request at a time, because it refuses concurrent requests of a caller (wire.md section
 * 9). Each request has its own Idempotency-Key, which its retries share, or that of the user.
 */
export function createServiceSender(api: ApiOfCaller): Sender {
  let before: Promise<unknown> = Promise.resolve();
  /** The network that each key of the user's was sent to. */
  const networks = new Map<string, string>();
  return {
    async send(network, body, options) {
      if (options.key !== undefined) {
        const first = networks.get(options.key) ?? network;
        if (first !== network) throw usedElsewhere(options.key, first);
        networks.set(options.key, network);
      }
      const turn = before;
      const mine = Promise.withResolvers<void>();
      before = mine.promise;
      try {
        await untilAborted(turn, options.signal);
        const { rpc } = await api(options.caller);
        return await sendNow(rpc, network, body as RpcItem | RpcItem[], options);
      } finally {
        // An aborted request still waits for its predecessor before the next one may start.
        void turn.then(() => mine.resolve());
      }
    },
  };
}

/** A service stores responses by key and body, so the same body on another network could get the response of the first. */
function usedElsewhere(key: string, network: string): ApiError {
  const message = `the key ${key} of @idempotency was used on ${network}, so the response could be that of ${network}. Write another key`;
  return new ApiError("invalid-request", message, { mayHaveArrived: false });
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
  const { key: idempotencyKey = crypto.randomUUID(), ...callOptions } = options;
  const answer = await rpc.call({ network, body, idempotencyKey }, { ...callOptions, observe });
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

/** Sends calls in one request. The replies are in the order of the calls. Throws ApiError. */
export async function sendCalls(
  sender: Sender,
  network: string,
  calls: readonly NodeCall[],
  signal: AbortSignal,
): Promise<{ readonly replies: readonly NodeReply[]; readonly sent: Sent }> {
  const items = calls.map(({ method, params }, at): RpcItem => {
    return { jsonrpc: "2.0", id: at + 1, method, params: [...params] };
  });
  const [first] = items;
  const sent = await sender.send(network, items.length === 1 && first ? first : items, {
    signal,
    once: false,
  });
  const answers = [sent.answer].flat();
  const replies = items.map(({ id }) => {
    const [only] = answers.length === 1 ? answers : [];
    // A single error applies to all calls of a batch. A single result is that of its own call.
    const isForAll = items.length === 1 || only?.error !== undefined;
    return replyOf(only && isForAll ? only : answers.find((one) => one.id === id));
  });
  return { replies, sent };
}

function replyOf(answer: RpcAnswer | undefined): NodeReply {
  if (!answer) return { error: { code: 0, message: "no response" } };
  const { error, result } = answer;
  if (!error) return { result };
  const { code, message, data } = error;
  return { error: { code: code ?? 0, message: message ?? "no reason given", data } };
}

/** Timeouts of a node on this machine. */
const localTimeouts = { headersMs: 60_000, idleMs: 60_000 };
/** The endpoint in its errors. */
export const localNodeName = "the local node";

/** Sends text to this machine. */
export interface LocalTransport {
  send(
    request: TransportRequest & { readonly body: string },
  ): Promise<Pick<TransportResponse, "status" | "body">>;
}

/** Sends to a node on this machine: no key, no service, no price. */
export function createLocalSender(
  transport: LocalTransport,
  url: () => string,
  advice = editorAdvice,
): Sender {
  return {
    async send(_network, body, { signal, bodyText }) {
      const startMs = performance.now();
      const address = url();
      const deadline = createDeadline(localNodeName, localTimeouts, signal);
      const request = {
        method: "POST",
        url: address,
        headers: { "content-type": "application/json" },
        body: bodyText ?? exactJsonText(body),
        signal: deadline.signal,
      };
      deadline.expect("headersMs");
      try {
        const { status, body: pieces } = await transport.send(request);
        const text = await readText(pieces, maxAnswerBytes, () => deadline.expect("idleMs"));
        const answer = readAnswer(text, status);
        return {
          answer,
          status,
          ms: performance.now() - startMs,
          credits: 0,
          usd: 0,
          replayed: false,
          resends: 0,
        };
      } catch (error) {
        if (signal.aborted || isApiError(error)) throw signal.aborted ? signal.reason : error;
        throw unreached(address, classifyThrown(localNodeName, error, []), advice);
      } finally {
        deadline.end();
      }
    },
  };
}

/** If nothing listens at the address, explains how to start a node. */
function unreached(url: string, error: ApiError, advice: string): ApiError {
  const { reason } = error.details;
  if (reason !== "refused" && reason !== "unreachable" && reason !== "name-not-found") return error;
  const message =
    `No node answers at ${url}, the address of the network local. Start a node, such as anvil of Foundry or npx hardhat node, and run the cell again. ${advice}`.trim();
  return new ApiError(error.kind, message, error.details);
}

function readAnswer(
  { text, isCut }: Awaited<ReturnType<typeof readText>>,
  status: number,
): RpcAnswer | RpcAnswer[] {
  if (isCut || isTooDeep(text))
    throw new ApiError("malformed-response", `${localNodeName} answered more than can be read`, {
      status,
      endpoint: localNodeName,
    });
  try {
    const answer: unknown = parseAnswer(text);
    const read = RpcAnswers.safeParse(answer);
    if (read.success && typeof answer === "object") return read.data;
  } catch {
    // Reported below.
  }
  throw new ApiError("malformed-response", `${localNodeName} answered HTTP ${status} without JSON-RPC`, {
    status,
    endpoint: localNodeName,
  });
}
