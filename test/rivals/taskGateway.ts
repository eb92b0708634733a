// A gateway before a scripted model, with the files of a task.
import { ClientBook } from "../../src/gateway/clients/clientBook.ts";
import { openService } from "../../src/gateway/host/openService.ts";
import { startGateway } from "../../src/gateway/server/gatewayServer.ts";
import { SessionBook } from "../../src/gateway/server/sessionBook.ts";
import { Counted } from "../../src/shared/money/budgetRule.ts";
import { moneyText } from "../../src/shared/money/moneyText.ts";
import { startModelServer } from "../agentTasks/modelServer.ts";
import { createScript } from "../agentTasks/script.ts";
import type { Style } from "../agentTasks/styles.ts";
import { agentTasks } from "../agentTasks/tasks.ts";
import { openPeerFolder } from "../bench/chat/agentPeers/peerFolder.ts";
import { sessionOver } from "../unit/gateway/gatewayKit.ts";
import { connection, openWindow } from "../unit/session/budgetWindow.ts";
import { temporaryFolder } from "../unit/temporaryFolder.ts";

/** A token costs as much as a dear model's. */
const usdPerMillion = 20;

/** The bill of a task, and what came of it. */
export interface TaskEnd {
  readonly calls: number;
  readonly sessions: number;
  /** Calls, with those that were refused. */
  readonly tries: number;
  /** As the ledger has it. */
  readonly spent: string;
  /** Why the files are not as asked; absent if they are. */
  readonly fault?: string;
}

/** The first task, for an agent whose sessions may cost `sessionCapUsd`. */
export async function openTaskGateway(style: Style, sessionCapUsd: number) {
  const [task] = agentTasks;
  if (!task) throw new Error("there is no task");
  const opened = openPeerFolder(task.files);
  const { folder, onDisk } = opened;
  const script = createScript(task, style, folder, false);
  const server = await startModelServer({
    models: [style.model],
    reply: (results) => script.reply(results),
    usdPerMillion,
    report: (error) => console.error(error),
  });
  const budgets = { dayUsd: undefined, monthUsd: undefined, hardStop: false };
  const window = openWindow({ baseUrl: server.baseUrl, apiKey: "k", folder: temporaryFolder(), budgets });
  const clients = new ClientBook({ folder: temporaryFolder(), now: Date.now });
  const { id } = await clients.add(style.name);
  await clients.setLimits(id, { sessionCapUsd, isPrivateOnly: false });
  const sessions = new SessionBook(Date.now);
  const gateway = await startGateway(0, {
    clientOf: (token) => clients.find(token),
    open: (agent) => openService(sessionOver(window), agent),
    sessions,
    now: Date.now,
  });
  return {
    ...{ folder, question: task.question, token: await clients.token(id) },
    origin: `http://127.0.0.1:${gateway.port}`,
    run: opened.run,
    /** Closes all. */
    async end(): Promise<TaskEnd> {
      await gateway.close();
      await server.close();
      const entries = await window.spend.entries(connection);
      const { month } = await window.spend.totals(connection);
      const fault = faultOf(() => task.check({ folder, onDisk }));
      opened.remove();
      const spent = moneyText(Counted.of(month).in("USD"));
      const tries = sessions.all.reduce((sum, session) => sum + session.calls, 0);
      return {
        ...{ calls: entries.length, sessions: sessions.all.length, tries, spent },
        ...(fault ? { fault } : {}),
      };
    },
  };
}

function faultOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return String(error).split("\n")[0];
  }
}
