import { randomBytes, timingSafeEqual } from "node:crypto";
import type { ChatChunk } from "../api/endpoints/chat/chatReply.ts";
import { isApiError } from "../api/errors/errors.ts";
import type { SpendSource } from "../api/money/charge.ts";
import type { EventStream } from "../api/stream/eventStream.ts";
import { openService } from "../gateway/host/openService.ts";
import type { GatewayClient } from "../gateway/server/gatewayClient.ts";
import type { OpenedService } from "../gateway/server/gatewayDeps.ts";
import { startGateway } from "../gateway/server/gatewayServer.ts";
import { Refused } from "../gateway/server/refused.ts";
import { SessionBook } from "../gateway/server/sessionBook.ts";
import { explain } from "../platform/errors/errorMessage.ts";
import { sha256 } from "../platform/sha256.ts";
import type { Session } from "../session/session.ts";

/** The service for one agent that this window has started. */
export interface AgentGateway {
  /** `http://127.0.0.1:PORT`, without `/v1`. */
  readonly origin: string;
  /** It is nowhere but here, and valid until the gateway is closed. */
  readonly token: string;
  /** Ends all calls. */
  close(): Promise<void>;
}

/** A request for an answer, as the agent has sent it. */
interface AskedAnswer {
  readonly model: string;
  /** It offers tools, as the requests of a task do. Those beside it, such as one for a title, offer none. */
  readonly hasTools: boolean;
}

/** A request for an answer was admitted and answered, or has failed with `error`. */
export interface AnswerBegun extends AskedAnswer {
  readonly error?: unknown;
}

/** A request for an answer has ended, and may be billed. */
export interface AnswerEnded extends AskedAnswer, Pick<ChatChunk, "cost"> {
  /** Absent if the service has not told it. */
  readonly usage?: ChatChunk["usage"];
}

/** The question that pays for a call. */
export interface AgentPayer {
  readonly source: SpendSource;
  onBegun(answer: AnswerBegun): void;
  onEnded(answer: AnswerEnded): void;
}

interface AgentGatewayDeps {
  readonly session: Pick<Session, "client">;
  /** Of the agent. */
  readonly name: string;
  /** Undefined while it answers no question, when its calls are refused. */
  readonly payerOf: () => AgentPayer | undefined;
  /** At the beginning and at the end of each call. */
  readonly onCall: () => void;
}

/**
 * Opens a gateway of its own for an agent, whatever the settings say of the one for others. Its calls are those of the
 * question that it answers: they are recorded as its, and count for the cap of its task.
 */
export async function openAgentGateway({
  session,
  name,
  payerOf,
  onCall,
}: AgentGatewayDeps): Promise<AgentGateway> {
  const token = `gw-${randomBytes(32).toString("base64url")}`;
  const known = Buffer.from(sha256(token));
  const client: GatewayClient = { id: sha256(token), name, isPrivateOnly: false, sessionCapUsd: undefined };
  const server = await startGateway(0, {
    clientOf: async (given) => (timingSafeEqual(known, Buffer.from(sha256(given))) ? client : undefined),
    async open(agent) {
      const payer = payerOf();
      if (!payer) throw new Refused({ status: 403, sentence: idle });
      return observed(await openService(session, agent, payer.source), payer);
    },
    sessions: new SessionBook(Date.now),
    now: Date.now,
    onCall,
  });
  return { origin: `http://127.0.0.1:${server.port}`, token, close: () => server.close() };
}

/** Tells how the requests for answers begin and end. What a limit of the task refuses is worded for the chat, where it is raised. */
function observed(service: OpenedService, payer: AgentPayer): OpenedService {
  const { chat } = service.api;
  const stream: typeof chat.stream = async (input, options) => {
    const asked = { model: input.model, hasTools: (input.tools ?? []).length > 0 };
    try {
      const answer = await chat.stream(input, options);
      payer.onBegun(asked);
      return counted(answer, (price) => payer.onEnded({ ...asked, ...price }));
    } catch (error) {
      if (isApiError(error) && error.details.mayHaveArrived) payer.onEnded(asked);
      if (!options?.signal?.aborted) payer.onBegun({ ...asked, error });
      throw refusedByTask(error, service.name) ?? error;
    }
  };
  return { ...service, api: { ...service.api, chat: { ...chat, stream } } };
}

/** The usage and the cost of an answer, as far as the service has reported them. */
type Price = Pick<AnswerEnded, "usage" | "cost">;

function withPrice(price: Price, { usage, cost }: ChatChunk): Price {
  if (!usage && !cost) return price;
  return { ...price, ...(usage ? { usage } : {}), ...(cost ? { cost } : {}) };
}

/** Tells the price, however the answer ends. */
function counted(answer: EventStream<ChatChunk>, onEnd: (price: Price) => void): EventStream<ChatChunk> {
  const batches = async function* () {
    let price: Price = {};
    try {
      for await (const batch of answer.batches()) {
        price = batch.reduce(withPrice, price);
        yield batch;
      }
    } finally {
      onEnd(price);
    }
  };
  return {
    batches,
    async *[Symbol.asyncIterator]() {
      for await (const batch of batches()) yield* batch;
    },
    get end() {
      return answer.end;
    },
    requestId: answer.requestId,
  };
}

function refusedByTask(error: unknown, service: string): Refused | undefined {
  const source = isApiError(error) ? error.details.source : undefined;
  if (source !== "task" && source !== "limit") return undefined;
  const { sentence } = explain(error, { service });
  return new Refused({ status: 402, sentence, code: "insufficient_quota" });
}

const idle = "The agent answers no question in VS Code. Ask it something there. Nothing was sent.";
