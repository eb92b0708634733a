import * as vscode from "vscode";
import type { ClientEvent } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import type { Keys } from "../platform/keys.ts";
import { readSandboxAutoStart, readSettings } from "../platform/settings.ts";
import { environment } from "../shared/ids.ts";
import { originOf } from "./baseUrl.ts";
import type { Connection } from "./connection.ts";
import { type Connections, sandboxConnection } from "./connections.ts";
import type { Candidate, Client, ClientActivity, Session, SpendEvent } from "./session.ts";
import type { Spend } from "./spend.ts";
import type { SpendTotals } from "./spendBook.ts";
import type { SpendGate } from "./spendGate.ts";

/** A running sandbox, as the session sees it. */
interface RunningSandbox {
  readonly baseUrl: string;
  readonly apiKey: string;
  setTokensPerSecond(tokensPerSecond: number): void;
  setModelServers(addresses: readonly string[]): void;
  findLocalModels(signal: AbortSignal): Promise<{
    readonly models: readonly {
      readonly model: {
        readonly record: { readonly id: string; readonly model_spec: { readonly name: string } };
      };
    }[];
    readonly problems: readonly string[];
  }>;
  close(): Promise<void>;
}

export interface SessionDeps {
  readonly connections: Connections;
  readonly keys: Keys;
  readonly env: NodeJS.ProcessEnv;
  /** Loads the bundle of the sandbox and starts it. */
  readonly startSandbox: (options: {
    dialect: "standard" | "venice";
    tokensPerSecond: number;
    modelServers: readonly string[];
  }) => Promise<RunningSandbox>;
  readonly observe: (event: ClientEvent) => void;
  /** Absolute path of the folder with the spend journals. */
  readonly spendFolder: string;
  /** Stores warnings and approvals of budgets. */
  readonly state: vscode.Memento;
  readonly report: (error: unknown) => void;
}

interface Spending {
  readonly spend: Spend;
  readonly gate: SpendGate;
}

type BuildClient = (
  connection: Connection,
  baseUrl: string,
  apiKey: () => Promise<string | undefined>,
) => Promise<Client>;

export function createSession(deps: SessionDeps): Session {
  const changed = new vscode.EventEmitter<Connection | undefined>();
  const received = new vscode.EventEmitter<ClientActivity>();
  const spent = new vscode.EventEmitter<SpendEvent>();
  let spending: Promise<Spending> | undefined;
  const others = new Map<string, Promise<Client>>();
  let sandbox: { readonly dialect: string; readonly running: Promise<RunningSandbox> } | undefined;
  let current: { readonly connection: Connection; readonly client: Promise<Client> } | undefined;

  const ensureSandbox = async (): Promise<RunningSandbox> => {
    const { dialect, tokensPerSecond, modelServers } = readSettings().sandbox;
    if (sandbox?.dialect !== dialect) {
      closeSandbox();
      sandbox = { dialect, running: deps.startSandbox({ dialect, tokensPerSecond, modelServers }) };
    }
    const started = sandbox;
    try {
      return await started.running;
    } catch (error) {
      // The next call retries the start.
      if (sandbox === started) sandbox = undefined;
      throw new ApiError("unavailable", `the sandbox did not start: ${String(error)}`, {
        mayHaveArrived: false,
      });
    }
  };
  const closeSandbox = () => {
    void sandbox?.running.then((running) => running.close()).catch(() => {});
    sandbox = undefined;
  };
  const dropClient = () => {
    current = undefined;
    others.clear();
  };
  const loadSpending = async (): Promise<Spending> => {
    const [{ createSpend }, { createSpendGate }, questions] = await Promise.all([
      import("./spend.ts"),
      import("./spendGate.ts"),
      import("./budgetQuestions.ts"),
    ]);
    const { spendFolder: folder, state, report } = deps;
    const onChange = (connection: Connection, totals: SpendTotals) => spent.fire({ connection, totals });
    const spend = createSpend({ folder, now: Date.now, onChange, report });
    const gate = createSpendGate({
      spend,
      state,
      budgets: () => readSettings().budgets,
      now: Date.now,
      warn: (budget) => void questions.warnOfBudget(budget),
      ask: questions.askOverdraft,
    });
    return { spend, gate };
  };
  const ensureSpending = () => {
    spending ??= loadSpending();
    return spending;
  };
  const connect = async (connection: Connection): Promise<Client> => {
    if (connection.kind !== "sandbox")
      return build(connection, connection.baseUrl, keyReader(deps, connection));
    const { baseUrl, apiKey } = await ensureSandbox();
    return build({ ...connection, dialect: readSettings().sandbox.dialect }, baseUrl, async () => apiKey);
  };
  const build: BuildClient = async (connection, baseUrl, apiKey) => {
    const { buildClient } = await import("./buildClient.ts");
    const { spend, gate } = await ensureSpending();
    return buildClient(connection, baseUrl, apiKey, {
      observe(event, prices) {
        deps.observe(event);
        received.fire({ connection, event });
        spend.record(connection, event, prices);
      },
      admit: (call, prices, signal) => gate(connection, call, prices, signal),
    });
  };
  const subscriptions = vscode.Disposable.from(
    deps.keys.onDidChange(() => session.refresh()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("http") || event.affectsConfiguration("inference")) {
        const { tokensPerSecond, modelServers } = readSettings().sandbox;
        const adapt = (running: RunningSandbox) => {
          running.setTokensPerSecond(tokensPerSecond);
          running.setModelServers(modelServers);
        };
        void sandbox?.running.then(adapt).catch(() => {});
        session.refresh();
      }
    }),
  );
  const session: Session = {
    get active() {
      return activeOf(deps.connections);
    },
    onDidChangeActive: changed.event,
    async client() {
      const connection = activeOf(deps.connections);
      if (!connection)
        throw new ApiError("unauthorized", "no connection is set up", { mayHaveArrived: false });
      if (current?.connection.id !== connection.id) {
        const client = connect(connection);
        const mine = { connection, client };
        current = mine;
        client.catch(() => {
          if (current === mine) dropClient();
        });
      }
      return (current ?? { client: connect(connection) }).client;
    },
    clientOf(connection) {
      if (connection.id === session.active?.id) return session.client();
      const known = others.get(connection.id);
      if (known) return known;
      const client = connect(connection);
      others.set(connection.id, client);
      client.catch(() => others.delete(connection.id));
      return client;
    },
    onDidReceive: received.event,
    spend: async () => (await ensureSpending()).spend,
    onDidSpend: spent.event,
    tryOut: ({ baseUrl, dialect, key }: Candidate) =>
      build({ id: "candidate", name: "", kind: "live", baseUrl, dialect }, baseUrl, async () => key),
    async findLocalModels(signal) {
      const { models, problems } = await (await ensureSandbox()).findLocalModels(signal);
      const found = models.map(({ model: { record } }) => ({ id: record.id, name: record.model_spec.name }));
      return { models: found, problems };
    },
    refresh() {
      dropClient();
      changed.fire(activeOf(deps.connections));
    },
    dispose() {
      subscriptions.dispose();
      changed.dispose();
      received.dispose();
      spent.dispose();
      closeSandbox();
    },
  };
  return session;
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
  let read: Promise<string> | undefined;
  const load = async () => {
    const origin = originOf(connection.baseUrl);
    const fromEnv = connection.kind === "environment" ? env[environment.key] : undefined;
    const key = fromEnv ?? (origin ? await keys.read(connection.id, origin) : undefined);
    if (key !== undefined) return key;
    throw new ApiError("unauthorized", `no key is stored for ${origin ?? "this address"}`, {
      mayHaveArrived: false,
    });
  };
  return () => {
    read ??= load().catch((error: unknown) => {
      // A locked keyring may be unlocked before the next request.
      read = undefined;
      throw error;
    });
    return read;
  };
}
