import type { Event } from "vscode";
import type { Handoff } from "../../../session/connection/handoff.ts";
import type { Session } from "../../../session/session.ts";
import type { ClientBook } from "../../clients/clientBook.ts";
import type { ConfigWriter } from "../../programs/configuration/configChange.ts";
import type { SessionBook } from "../../server/sessionBook.ts";
import type { GatewayListener } from "../gatewayListener.ts";
import type { ConfigDiffs } from "./configDiffs.ts";

/** What the lists of the gateway show and change. */
export interface GatewayMenu {
  readonly session: Pick<Session, "active" | "client" | "spend">;
  readonly handoff: Pick<Handoff, "offer">;
  readonly clients: ClientBook;
  readonly config: ConfigWriter;
  readonly diffs: ConfigDiffs;
  readonly sessions: SessionBook;
  /** Fires at the beginning and at the end of each call of another agent in this window. */
  readonly onCall: Event<void>;
  /** A session was stopped or resumed. */
  readonly onSession: () => void;
  readonly listener: Pick<GatewayListener, "state">;
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
}
