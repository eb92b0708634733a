import type { IncomingHttpHeaders } from "node:http";
import { sha256 } from "../../platform/sha256.ts";
import type { GatewayClient } from "./gatewayClient.ts";

/** A session of another agent: what its client calls one, or else all of its calls of a day in a folder. */
export interface AgentSession {
  /** Unique among all clients and days, and the same after a restart: its spending is found by it. */
  readonly id: string;
  readonly client: GatewayClient;
  readonly beganMs: number;
  lastMs: number;
  calls: number;
  /** Its calls in progress. */
  readonly running: Set<AbortController>;
  /** Why its next calls are refused, as a sentence; undefined if they are not. */
  refusal: string | undefined;
}

/** Headers by which clients name their session. What a subagent costs is the session's that has started it. */
const sessionHeaders = [
  "x-parent-session-id",
  "x-claude-code-session-id",
  "session-id",
  "session_id",
  "x-session-id",
  "x-session-affinity",
  "conversation_id",
];
/** Sessions that are remembered. The oldest without a call in progress make room. */
const mostSessions = 500;
const longestName = 300;

/** The sessions of this window since its start. */
export class SessionBook {
  readonly #sessions = new Map<string, AgentSession>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get all(): readonly AgentSession[] {
    return [...this.#sessions.values()];
  }

  /** The session of a call. `named`: what its body says. */
  of(client: GatewayClient, headers: IncomingHttpHeaders, named: string | undefined): AgentSession {
    const nowMs = this.#now();
    const name = nameIn(headers) ?? named ?? new Date(nowMs).toISOString().slice(0, 10);
    const id = sessionId(client, name.slice(0, longestName));
    const known = this.#sessions.get(id);
    const session = known
      ? Object.assign(known, { client })
      : {
          id,
          client,
          beganMs: nowMs,
          lastMs: nowMs,
          calls: 0,
          running: new Set<AbortController>(),
          refusal: undefined,
        };
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    this.#makeRoom();
    return session;
  }

  #makeRoom(): void {
    if (this.#sessions.size <= mostSessions) return;
    for (const [id, { running }] of this.#sessions) {
      if (running.size > 0) continue;
      this.#sessions.delete(id);
      return;
    }
  }
}

function nameIn(headers: IncomingHttpHeaders): string | undefined {
  const values = sessionHeaders.map((name) => headers[name]);
  return values.find((value) => typeof value === "string" && value !== "") as string | undefined;
}

/** Says nothing of what a client calls its session. */
function sessionId({ id, folder }: GatewayClient, name: string): string {
  const parts = [id, name, ...(folder ? [folder.uri] : [])];
  return `gateway-${sha256(JSON.stringify(parts)).slice(0, 32)}`;
}
