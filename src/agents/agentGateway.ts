import { randomBytes, timingSafeEqual } from "node:crypto";
import { isApiError } from "../api/errors/errors.ts";
import type { SpendSource } from "../api/money/charge.ts";
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

interface AgentGatewayDeps {
  readonly session: Pick<Session, "client">;
  /** Of the agent. */
  readonly name: string;
  /** Who pays for its calls now; undefined while it answers no question, when they are refused. */
  readonly sourceOf: () => SpendSource | undefined;
  /** At the beginning and at the end of each call. */
  readonly onCall: () => void;
  /** A request for an answer was admitted and answered, or has failed with this error. */
  readonly onAnswer?: (error: unknown) => void;
}

/**
 * Opens a gateway of its own for an agent, whatever the settings say of the one for others. Its calls are those of the
 * question that it answers: they are recorded as its, and count for the cap of its task.
 */
export async function openAgentGateway({
  session,
  name,
  sourceOf,
  onCall,
  onAnswer = () => {},
}: AgentGatewayDeps): Promise<AgentGateway> {
  const token = `gw-${randomBytes(32).toString("base64url")}`;
  const known = Buffer.from(sha256(token));
  const client: GatewayClient = { id: sha256(token), name, isPrivateOnly: false, sessionCapUsd: undefined };
  const server = await startGateway(0, {
    clientOf: async (given) => (timingSafeEqual(known, Buffer.from(sha256(given))) ? client : undefined),
    async open(agent) {
      const source = sourceOf();
      if (!source) throw new Refused({ status: 403, sentence: idle });
      return observed(await openService(session, agent, source), onAnswer);
    },
    sessions: new SessionBook(Date.now),
    now: Date.now,
    onCall,
  });
  return { origin: `http://127.0.0.1:${server.port}`, token, close: () => server.close() };
}

/** Tells how the requests for answers begin. What a limit of the task refuses is worded for the chat, where it is raised. */
function observed(service: OpenedService, onAnswer: (error: unknown) => void): OpenedService {
  const { chat } = service.api;
  const stream: typeof chat.stream = async (input, options) => {
    try {
      const answer = await chat.stream(input, options);
      onAnswer(undefined);
      return answer;
    } catch (error) {
      if (!options?.signal?.aborted) onAnswer(error);
      throw refusedByTask(error, service.name) ?? error;
    }
  };
  return { ...service, api: { ...service.api, chat: { ...chat, stream } } };
}

function refusedByTask(error: unknown, service: string): Refused | undefined {
  const source = isApiError(error) ? error.details.source : undefined;
  if (source !== "task" && source !== "limit") return undefined;
  const { sentence } = explain(error, { service });
  return new Refused({ status: 402, sentence, code: "insufficient_quota" });
}

const idle = "The agent answers no question in VS Code. Ask it something there. Nothing was sent.";
