import type { LogOutputChannel, Memento } from "vscode";
import { type AskedSignIn, apiRoot, type CallOptions, type ClientEvent } from "../api/call/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import type { SpendSource } from "../api/money/charge.ts";
import type { Keys } from "../platform/keys.ts";
import { Lazy } from "../platform/lazy.ts";
import { logClientEvent } from "../platform/log.ts";
import { readBudgets, readIsRecorded, readSettings } from "../platform/settings.ts";
import { environment } from "../shared/names/ids.ts";
import { WalletSigner } from "../wallet/walletSigner.ts";
import { originOf, receiverOf } from "./connection/baseUrl.ts";
import { buildClient } from "./connection/buildClient.ts";
import type { Connection } from "./connection/connection.ts";
import type { Consents } from "./consent/consents.ts";
import { walletConsent } from "./consent/lastingConsents.ts";
import { createSandboxProcess, type SandboxProcess, type StartSandbox } from "./sandbox/sandboxProcess.ts";
import type { Candidate, Client, LocalModelScan, Session } from "./session.ts";
import { askOverdraft, createLedgerNotices, warnOfBudget, warnOfDoubt } from "./spend/budgetQuestions.ts";
import { createSpend, type Spend } from "./spend/spend.ts";
import type { SpendTotals } from "./spend/spendBook.ts";
import type { Prices } from "./spend/spendEntry.ts";
import { createSpendGate, type SpendGate } from "./spend/spendGate.ts";
import { createSpendPlaces } from "./spend/spendPlaces.ts";

export interface SessionClientsDeps {
  readonly keys: Keys;
  readonly env: NodeJS.ProcessEnv;
  readonly startSandbox: StartSandbox;
  /** Loads what reads documents on this machine. */
  readonly documents: Session["documents"];
  /** Absolute path of the folder with the spend journals. */
  readonly spendFolder: string;
  /** Stores warnings of budgets. */
  readonly state: Memento;
  readonly consents: Consents;
  readonly log: LogOutputChannel;
  readonly onEvent: (connection: Connection, event: ClientEvent, prices: Prices) => void;
  readonly onSpend: (connection: Connection, totals: SpendTotals) => void;
}

/** The connection of a key that was typed and is not stored yet. */
const candidateId = "candidate";

type ReadKey = () => Promise<string | undefined>;

/** The clients of all connections. Their calls are checked against the budgets and recorded in the ledger. */
export class SessionClients {
  readonly spend: Spend;
  readonly #deps: SessionClientsDeps;
  readonly #gate: SpendGate;
  readonly #sandbox: SandboxProcess;
  readonly #signer = new WalletSigner();
  readonly #others = new Map<string, Promise<Client>>();
  #active: { readonly connection: Connection; readonly client: Promise<Client> } | undefined;

  constructor(deps: SessionClientsDeps) {
    this.#deps = deps;
    const report = (error: unknown) => deps.log.error(String(error));
    this.#sandbox = createSandboxProcess(deps.startSandbox);
    const placeOf = createSpendPlaces();
    this.spend = createSpend({
      folder: deps.spendFolder,
      now: Date.now,
      placeOf,
      onChange: deps.onSpend,
      report,
      warn: (sentence) => warnOfDoubt(sentence, report),
      journals: createLedgerNotices(report),
    });
    this.#gate = createSpendGate({
      spend: this.spend,
      state: deps.state,
      consents: deps.consents,
      budgets: readBudgets,
      placeOf,
      now: Date.now,
      warn: (budget) => void warnOfBudget(budget),
      ask: askOverdraft,
    });
  }

  /** The client of the active connection. One that could not be built is built again by the next call. */
  async active(connection: Connection, source: SpendSource): Promise<Client> {
    if (this.#active?.connection.id !== connection.id) {
      const mine = { connection, client: this.#connect(connection) };
      this.#active = mine;
      mine.client.catch(() => {
        if (this.#active === mine) this.clear();
      });
    }
    return withSource(await this.#active.client, source);
  }

  async other(connection: Connection, source: SpendSource): Promise<Client> {
    const client = this.#others.get(connection.id) ?? this.#connect(connection);
    if (!this.#others.has(connection.id)) {
      this.#others.set(connection.id, client);
      client.catch(() => this.#others.delete(connection.id));
    }
    return withSource(await client, source);
  }

  tryOut({ baseUrl, dialect, key }: Candidate): Promise<Client> {
    return this.#build(
      { id: candidateId, name: "", kind: "live", baseUrl, dialect },
      baseUrl,
      async () => key,
    );
  }

  findLocalModels(signal: AbortSignal): Promise<LocalModelScan> {
    return this.#sandbox.findLocalModels(signal);
  }

  /** The next calls build new clients. */
  clear(): void {
    this.#active = undefined;
    this.#others.clear();
  }

  /** Applies changed settings to a running sandbox. */
  configureSandbox(): void {
    this.#sandbox.configure();
  }

  dispose(): void {
    this.#sandbox.close();
  }

  async #connect(connection: Connection): Promise<Client> {
    if (connection.kind !== "sandbox")
      return this.#build(connection, connection.baseUrl, keyReader(this.#deps, connection));
    const { baseUrl, apiKey } = await this.#sandbox.ensure();
    return this.#build(
      { ...connection, dialect: readSettings().sandbox.dialect },
      baseUrl,
      async () => apiKey,
    );
  }

  #build(connection: Connection, baseUrl: string, apiKey: ReadKey): Promise<Client> {
    const { wallet, name: service } = connection;
    const root = apiRoot(baseUrl);
    const walletSignIn =
      wallet &&
      (async (asked: AskedSignIn) => {
        // Another window may have removed it since this client was built.
        if (!this.#deps.consents.find(walletConsent(receiverOf(connection), wallet)))
          throw new ApiError("not-signed", "the wallet was removed", { mayHaveArrived: false });
        return this.#signer.sign({ ...asked, wallet, root, service });
      });
    const credentials = { apiKey, ...(walletSignIn ? { walletSignIn } : {}) };
    return buildClient(connection, baseUrl, credentials, {
      observe: (event, prices) => {
        logClientEvent(this.#deps.log, event);
        this.#deps.onEvent(connection, event, prices);
        this.spend.record(connection, event, prices);
      },
      admit: (call, prices, signal) => this.#gate.admit(connection, call, prices, signal),
      admitAgain: (call, hold) => this.#gate.admitAgain(connection, call, hold),
      // A typed connection is not stored yet, and may never be.
      isRecorded: () => connection.id !== candidateId && readIsRecorded(),
    });
  }
}

type AnyCall = (input: unknown, options?: CallOptions) => Promise<unknown>;

/** The same client; each of its calls names the source. */
function withSource(client: Client, source: SpendSource): Client {
  const named = Object.entries(client.api).map(([resource, calls]) => [
    resource,
    Object.fromEntries(
      Object.entries(calls as Readonly<Record<string, AnyCall>>).map(([name, call]) => [
        name,
        (input: unknown, options?: CallOptions) => call(input, { ...options, source }),
      ]),
    ),
  ]);
  const { connection, root, transport, prices } = client;
  return {
    connection,
    prices,
    root,
    transport,
    source,
    api: Object.fromEntries(named) as Client["api"],
    get dialect() {
      return client.dialect;
    },
  };
}

/** Reads a stored key once per client. A key that was entered for another origin is ignored. */
function keyReader({ keys, env }: Pick<SessionClientsDeps, "keys" | "env">, connection: Connection): ReadKey {
  // A locked keyring may be unlocked before the next request.
  const read = new Lazy(async () => {
    const origin = originOf(connection.baseUrl);
    const fromEnv = connection.kind === "environment" ? env[environment.key] : undefined;
    const key = fromEnv ?? (origin ? await keys.read(connection.id, origin) : undefined);
    if (key !== undefined) return key;
    const missing = connection.wallet
      ? `a wallet pays for chain calls, speech and picture edits alone, and no key is stored for ${connection.name}`
      : `no key is stored for ${origin ?? "this address"}`;
    throw new ApiError("unauthorized", missing, { mayHaveArrived: false });
  });
  return () => read.get();
}
