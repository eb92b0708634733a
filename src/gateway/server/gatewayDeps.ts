import type { IncomingMessage, ServerResponse } from "node:http";
import type { Api } from "../../api/call/client.ts";
import type { Table } from "../../api/table.ts";
import type { GatewayClient } from "./gatewayClient.ts";
import type { AgentSession, SessionBook } from "./sessionBook.ts";

/** The client of the service for the calls of a session. */
export interface OpenedService {
  readonly api: Api<Table>;
  /** Name of the connection, for errors. */
  readonly name: string;
  /** True if the service lists this model as private. Rejects if its list can't be read. */
  isPrivate(model: string): Promise<boolean>;
  /** Tokens of the longest answer of a model; undefined if the service does not list it. */
  longestAnswer(model: string): Promise<number | undefined>;
  /** True if the service lists a price for tokens that this model reads from its cache, and none for writing them. */
  cachesPrompts(model: string): Promise<boolean>;
  /** The `prompt_cache_key` of a session that names none. */
  readonly cacheKey: string;
}

export interface GatewayDeps {
  /** The client that has this token; undefined for an unknown or revoked one. Rejects with a Refusal if none may count. */
  readonly clientOf: (token: string) => Promise<GatewayClient | undefined>;
  /** Rejects with an ApiError if there is no connection. */
  readonly open: (session: AgentSession) => Promise<OpenedService>;
  readonly sessions: SessionBook;
  readonly now: () => number;
  /** Called at the beginning and at the end of each call. */
  readonly onCall?: (session: AgentSession) => void;
}

/** One request that has passed the checks of its head. */
export interface GatewayRequest {
  readonly message: IncomingMessage;
  readonly res: ServerResponse;
  readonly client: GatewayClient;
  readonly deps: GatewayDeps;
  /** Aborted when the client closes the connection, or the user stops the session. */
  readonly abort: AbortController;
  /** A random id with this prefix. */
  readonly newId: (prefix: string) => string;
}
