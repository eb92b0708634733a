import type { Disposable, Event } from "vscode";
import type { Api, ClientEvent } from "../api/call/client.ts";
import type { Dialect, DialectChoice } from "../api/dialect/dialect.ts";
import type { SpendSource } from "../api/money/charge.ts";
import type { Table } from "../api/table.ts";
import type { Transport } from "../api/transport/transport.ts";
import type { Connection } from "./connection/connection.ts";
import type { Spend } from "./spend/spend.ts";
import type { SpendTotals } from "./spend/spendBook.ts";
import type { Prices } from "./spend/spendEntry.ts";

/** The typed client of one connection. */
export interface Client {
  readonly connection: Connection;
  readonly api: Api<Table>;
  /** The API root, `https://host/api/v1`. */
  readonly root: string;
  /** The configured dialect; else that of the address, until a reply shows another. */
  readonly dialect: Dialect;
  readonly transport: Transport["name"];
  readonly prices: Prices;
  /** Who asks: the ledger records the calls of this client as made by it. Absent for a client that only verifies a key. */
  readonly source?: SpendSource;
}

/** A key that was typed and is not stored yet. */
export interface Candidate {
  readonly baseUrl: string;
  readonly dialect: DialectChoice;
  readonly key: string;
}

/** An event of a connection's client. */
export interface ClientActivity {
  readonly connection: Connection;
  readonly event: ClientEvent;
  /** Of the connection, for what the event says of a charge. */
  readonly prices: Prices;
}

/** The spend of a connection after a change. */
export interface SpendEvent {
  readonly connection: Connection;
  readonly totals: SpendTotals;
}

/** Result of a scan for language model servers on this machine. */
export interface LocalModelScan {
  readonly models: readonly { readonly id: string; readonly name: string }[];
  /** Address and reason for each server without models. */
  readonly problems: readonly string[];
}

/** Reads documents on this machine, in a thread of their own. */
interface DocumentReader {
  /** The text of a file as markdown, with a mark for each page of a PDF. Rejects with a sentence if it can't be read. */
  read(bytes: Uint8Array, password: string | undefined, signal: AbortSignal): Promise<string>;
}

/** State that the features share: the active service and its client. */
export interface Session extends Disposable {
  /** Undefined until the user chooses one. The welcome view is shown then. */
  readonly active: Connection | undefined;
  /** Fires when the active connection is switched, changed or removed. */
  readonly onDidChangeActive: Event<Connection | undefined>;
  /**
   * The client of the active connection. Starts the sandbox if needed. Throws ApiError `unauthorized` without a
   * connection. The ledger records its calls as made by the source.
   */
  client(source: SpendSource): Promise<Client>;
  /** The client of any connection. All sources share its rate limits and prices. */
  clientOf(connection: Connection, source: SpendSource): Promise<Client>;
  /** Fires with each event of each connection's client. */
  readonly onDidReceive: Event<ClientActivity>;
  /** True while no connection to its address can be made: what nobody asked for waits, longer after each failure. */
  isPaused(connection: Connection): boolean;
  /** The spend of each connection; loaded on first use. */
  spend(): Promise<Spend>;
  readonly onDidSpend: Event<SpendEvent>;
  /** A client with the typed key, to verify it before it is stored. */
  tryOut(candidate: Candidate): Promise<Client>;
  /** Loads what reads documents. It needs no connection, and costs nothing. */
  documents(): Promise<{ readonly documentReader: DocumentReader }>;
  /** Starts the sandbox and scans for language models on this machine. */
  findLocalModels(signal: AbortSignal): Promise<LocalModelScan>;
  /** Reloads the stored connections and fires the events. Call it after a change. */
  refresh(): void;
}
