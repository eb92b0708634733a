import type { Disposable, Event } from "vscode";
import type { Api, ClientEvent } from "../api/client.ts";
import type { Dialect, DialectChoice } from "../api/dialect.ts";
import type { Table } from "../api/table.ts";
import type { Transport } from "../api/transport/transport.ts";
import type { Connection } from "./connection.ts";
import type { Spend } from "./spend.ts";
import type { SpendTotals } from "./spendBook.ts";

/** The typed client of one connection. */
export interface Client {
  readonly connection: Connection;
  readonly api: Api<Table>;
  /** The API's root, `https://host/api/v1`. */
  readonly root: string;
  /** As chosen; where nobody chose, as read off the address, until an answer shows another. */
  readonly dialect: Dialect;
  readonly transport: Transport["name"];
}

/** A key that has just been typed and is not stored yet. */
export interface Candidate {
  readonly baseUrl: string;
  readonly dialect: DialectChoice;
  readonly key: string;
}

/** What a client of a connection did. */
export interface ClientActivity {
  readonly connection: Connection;
  readonly event: ClientEvent;
}

/** What a connection has spent, after it changed. */
export interface SpendEvent {
  readonly connection: Connection;
  readonly totals: SpendTotals;
}

/** Result of a look for servers of language models on this machine. */
export interface LocalModelScan {
  readonly models: readonly { readonly id: string; readonly name: string }[];
  /** For each server that offers none: its address and why. */
  readonly problems: readonly string[];
}

/** What the features share: which service answers, and the client for it. */
export interface Session extends Disposable {
  /** Undefined while nobody chose one: the welcome view is shown then. */
  readonly active: Connection | undefined;
  /** Fires when another connection, or none, became active, or the active one was changed. */
  readonly onDidChangeActive: Event<Connection | undefined>;
  /** The client of the active connection; starts the sandbox if that is it. Throws ApiError `unauthorized` without one. */
  client(): Promise<Client>;
  /** The client of another connection than the active one, for what only its key may do. */
  clientOf(connection: Connection): Promise<Client>;
  /** Fires with each event of each connection's client. */
  readonly onDidReceive: Event<ClientActivity>;
  /** What each connection has spent; loaded when first asked for. */
  spend(): Promise<Spend>;
  readonly onDidSpend: Event<SpendEvent>;
  /** A client that sends the typed key, to prove it before it is stored. */
  tryOut(candidate: Candidate): Promise<Client>;
  /** Starts the sandbox and has it look for language models on this machine. */
  findLocalModels(signal: AbortSignal): Promise<LocalModelScan>;
  /** Reads the stored connections anew and tells everyone; called by whoever changed them. */
  refresh(): void;
}
