import * as vscode from "vscode";
import { ApiError } from "../api/errors/errors.ts";
import { Lazy } from "../platform/lazy.ts";
import { readSandboxAutoStart } from "../platform/settings.ts";
import type { Connection } from "./connection/connection.ts";
import { type Connections, sandboxConnection } from "./connection/connections.ts";
import { ConnectPauses } from "./connectPauses.ts";
import type { ClientActivity, Session, SpendEvent } from "./session.ts";
import type { SessionClientsDeps } from "./sessionClients.ts";

export interface SessionDeps extends Omit<SessionClientsDeps, "onEvent" | "onSpend"> {
  readonly connections: Connections;
}

/** What a window knows at its start. All that calls the service is loaded by the first client. */
export function createSession({ connections, ...deps }: SessionDeps): Session {
  const changed = new vscode.EventEmitter<Connection | undefined>();
  const received = new vscode.EventEmitter<ClientActivity>();
  const spent = new vscode.EventEmitter<SpendEvent>();
  const pauses = new ConnectPauses(Date.now);
  const clients = new Lazy(async () => {
    const { SessionClients } = await import("./sessionClients.ts");
    return new SessionClients({
      ...deps,
      onEvent(connection, event, prices) {
        pauses.receive(connection, event);
        received.fire({ connection, event, prices });
      },
      onSpend: (connection, totals) => spent.fire({ connection, totals }),
    });
  });
  const active = () => activeOf(connections);
  const refresh = () => {
    // Before any later `get`, whose caller waits for the same promise.
    void clients.started?.then((loaded) => loaded.clear());
    pauses.clear();
    changed.fire(active());
  };
  const subscriptions = vscode.Disposable.from(
    deps.keys.onDidChange(refresh),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration("http") && !event.affectsConfiguration("inference")) return;
      void clients.started?.then((loaded) => loaded.configureSandbox());
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
      return (await clients.get()).active(connection, source);
    },
    async clientOf(connection, source) {
      const isActive = connection.id === active()?.id;
      const loaded = await clients.get();
      return isActive ? loaded.active(connection, source) : loaded.other(connection, source);
    },
    onDidReceive: received.event,
    isPaused: (connection) => pauses.isPaused(connection),
    spend: async () => (await clients.get()).spend,
    onDidSpend: spent.event,
    tryOut: async (candidate) => (await clients.get()).tryOut(candidate),
    documents: deps.documents,
    findLocalModels: async (signal) => (await clients.get()).findLocalModels(signal),
    refresh,
    dispose() {
      vscode.Disposable.from(subscriptions, changed, received, spent, clients).dispose();
    },
  };
}

/**
 * The chosen connection, else the environment's, else the sandbox if the settings allow it. One that was chosen and is not
 * there is not replaced by the environment's: that gets data and money which were meant for another service.
 */
function activeOf(connections: Connections): Connection | undefined {
  const chosen = connections.activeId();
  const found = chosen === undefined ? undefined : connections.byId(chosen);
  if (found) return found;
  const fallback = connections.all().find(({ kind }) => kind === "environment" && chosen === undefined);
  return fallback ?? (readSandboxAutoStart() ? connections.byId(sandboxConnection.id) : undefined);
}
