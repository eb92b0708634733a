import * as vscode from "vscode";
import type { CallOptions, ClientEvent } from "../api/call/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import type { SpendSource } from "../api/money/charge.ts";
import type { Keys } from "../platform/keys.ts";
import { Lazy } from "../platform/lazy.ts";
import { readBudgets, readSandboxAutoStart, readSettings } from "../platform/settings.ts";
import { environment } from "../shared/ids.ts";
import { originOf } from "./connection/baseUrl.ts";
import type { Connection } from "./connection/connection.ts";
import { type Connections, sandboxConnection } from "./connection/connections.ts";
import { createSandboxProcess, type StartSandbox } from "./sandboxProcess.ts";
import type { Candidate, Client, ClientActivity, Session, SpendEvent } from "./session.ts";
import type { Spend } from "./spend/spend.ts";
import type { SpendTotals } from "./spend/spendBook.ts";
import type { SpendGate } from "./spend/spendGate.ts";

export interface SessionDeps {
  readonly connections: Connections;
  readonly keys: Keys;
  readonly env: NodeJS.ProcessEnv;
  readonly startSandbox: StartSandbox;
  readonly observe: (event: ClientEvent) => void;
  /** Absolute path of the folder with the spend journals. */
  readonly spendFolder: string;
  /** Stores warnings and approvals of budgets. */
  readonly state: vscode.Memento;
  readonly report: (error: unknown) => void;
}

export function createSession(deps: SessionDeps): Session {
  const changed = new vscode.EventEmitter<Connection | undefined>();
  const received = new vscode.EventEmitter<ClientActivity>();
  const spent = new vscode.EventEmitter<SpendEvent>();
  const sandbox = createSandboxProcess(deps.startSandbox);
  const spending = createSpending(deps, (connection, totals) => spent.fire({ connection, totals }));
  const build = createClientBuilder(spending, (connection, event) => {
    deps.observe(event);
    received.fire({ connection, event });
  });
  const connect = async (connection: Connection): Promise<Client> => {
    if (connection.kind !== "sandbox")
      return build(connection, connection.baseUrl, keyReader(deps, connection));
    const { baseUrl, apiKey } = await sandbox.ensure();
    return build({ ...connection, dialect: readSettings().sandbox.dialect }, baseUrl, async () => apiKey);
  };
  const clients = createClientCache(connect);
  const active = () => activeOf(deps.connections);
  const refresh = () => {
    clients.clear();
    changed.fire(active());
  };
  const subscriptions = vscode.Disposable.from(
    deps.keys.onDidChange(refresh),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration("http") && !event.affectsConfiguration("inference")) return;
      sandbox.configure();
      refresh();
    }),
  );
  return {
    get active() {
      return active();
    },
    onDidChangeActive: changed.event,
    async client(source) {
      const connection = active();
      if (!connection)
        throw new ApiError("unauthorized", "no connection is set up", { mayHaveArrived: false });
      return withSource(await clients.active(connection), source);
    },
    async clientOf(connection, source) {
      const isActive = connection.id === active()?.id;
      return withSource(await (isActive ? clients.active(connection) : clients.other(connection)), source);
    },
    onDidReceive: received.event,
    spend: async () => (await spending.get()).spend,
    onDidSpend: spent.event,
    tryOut: ({ baseUrl, dialect, key }: Candidate) =>
      build({ id: "candidate", name: "", kind: "live", baseUrl, dialect }, baseUrl, async () => key),
    findLocalModels: sandbox.findLocalModels,
    refresh,
    dispose() {
      vscode.Disposable.from(subscriptions, changed, received, spent).dispose();
      sandbox.close();
    },
  };
}

interface Spending {
  readonly spend: Spend;
  readonly gate: SpendGate;
}

/** The spend ledger and its budgets, loaded on first use. */
function createSpending(
  { spendFolder: folder, state, report }: SessionDeps,
  onChange: (connection: Connection, totals: SpendTotals) => void,
): Lazy<Spending> {
  return new Lazy(async () => {
    const [{ createSpend }, { createSpendGate }, { createSpendPlaces }, questions] = await Promise.all([
      import("./spend/spend.ts"),
      import("./spend/spendGate.ts"),
      import("./spend/spendPlaces.ts"),
      import("./spend/budgetQuestions.ts"),
    ]);
    const journals = questions.createLedgerNotices(report);
    const spend = createSpend({
      folder,
      now: Date.now,
      placeOf: createSpendPlaces(),
      onChange,
      report,
      journals,
    });
    const gate = createSpendGate({
      spend,
      state,
      budgets: readBudgets,
      now: Date.now,
      warn: (budget) => void questions.warnOfBudget(budget),
      ask: questions.askOverdraft,
    });
    return { spend, gate };
  });
}

type BuildClient = (
  connection: Connection,
  baseUrl: string,
  apiKey: () => Promise<string | undefined>,
) => Promise<Client>;

/** Builds clients whose calls are checked against the budgets and recorded in the ledger. */
function createClientBuilder(
  spending: Lazy<Spending>,
  onEvent: (connection: Connection, event: ClientEvent) => void,
): BuildClient {
  return async (connection, baseUrl, apiKey) => {
    const { buildClient } = await import("./connection/buildClient.ts");
    const { spend, gate } = await spending.get();
    return buildClient(connection, baseUrl, apiKey, {
      observe(event, prices) {
        onEvent(connection, event);
        spend.record(connection, event, prices);
      },
      admit: (call, prices, signal) => gate.admit(connection, call, prices, signal),
      admitAgain: (call, hold) => gate.admitAgain(connection, call, hold),
    });
  };
}

/** Clients of connections. A client that could not be built is built again by the next call. */
function createClientCache(connect: (connection: Connection) => Promise<Client>) {
  let current: { readonly connection: Connection; readonly client: Promise<Client> } | undefined;
  const others = new Map<string, Promise<Client>>();
  const clear = () => {
    current = undefined;
    others.clear();
  };
  return {
    active(connection: Connection): Promise<Client> {
      if (current?.connection.id === connection.id) return current.client;
      const mine = { connection, client: connect(connection) };
      current = mine;
      mine.client.catch(() => {
        if (current === mine) clear();
      });
      return mine.client;
    },
    other(connection: Connection): Promise<Client> {
      const cached = others.get(connection.id);
      if (cached) return cached;
      const client = connect(connection);
      others.set(connection.id, client);
      client.catch(() => others.delete(connection.id));
      return client;
    },
    clear,
  };
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
    api: Object.fromEntries(named) as Client["api"],
    get dialect() {
      return client.dialect;
    },
  };
}

/** The chosen connection, else the environment's, else the sandbox if the settings allow it. */
function activeOf(connections: Connections): Connection | undefined {
  const chosen = connections.activeId();
  const found = chosen === undefined ? undefined : connections.byId(chosen);
  if (found) return found;
  const fallback = connections.all().find(({ kind }) => kind === "environment");
  return fallback ?? (readSandboxAutoStart() ? sandboxConnection : undefined);
}

/** Reads a stored key once per client. A key that was entered for another origin is ignored. */
function keyReader({ keys, env }: SessionDeps, connection: Connection): () => Promise<string | undefined> {
  // A locked keyring may be unlocked before the next request.
  const read = new Lazy(async () => {
    const origin = originOf(connection.baseUrl);
    const fromEnv = connection.kind === "environment" ? env[environment.key] : undefined;
    const key = fromEnv ?? (origin ? await keys.read(connection.id, origin) : undefined);
    if (key !== undefined) return key;
    throw new ApiError("unauthorized", `no key is stored for ${origin ?? "this address"}`, {
      mayHaveArrived: false,
    });
  });
  return () => read.get();
}
