// Runs a task by one of the other agents through the gateway, in a process without a network: within its cap, and then with
// a cap that refuses its first call.
import { join } from "node:path";
import { ClientBook } from "../../src/gateway/clients/clientBook.ts";
import { openService } from "../../src/gateway/host/openService.ts";
import { startGateway } from "../../src/gateway/server/gatewayServer.ts";
import { SessionBook } from "../../src/gateway/server/sessionBook.ts";
import { Counted } from "../../src/shared/money/budgetRule.ts";
import { moneyText } from "../../src/shared/money/moneyText.ts";
import { startModelServer } from "../agentTasks/modelServer.ts";
import { createScript } from "../agentTasks/script.ts";
import { agentTasks } from "../agentTasks/tasks.ts";
import { openPeerFolder } from "../bench/chat/agentPeers/peerFolder.ts";
import { peers } from "../bench/chat/agentPeers/peers.ts";
import { sessionOver } from "../unit/gateway/gatewayKit.ts";
import { connection, openWindow } from "../unit/session/budgetWindow.ts";
import { temporaryFolder } from "../unit/temporaryFolder.ts";

/** What came of a task. */
export interface RivalResult {
  readonly calls: number;
  readonly sessions: number;
  /** As the ledger has it. */
  readonly spent: string;
  /** Why the files are not as asked; absent if they are. */
  readonly fault?: string;
  /** True if the output of the refused run has the sentence. */
  readonly showsCap: boolean;
}

/** A token costs as much as a dear model's. */
const usdPerMillion = 20;
const [installed = "", peerName] = process.argv.slice(2);
const peer = peers.find(({ style }) => style.name === peerName);
const [task] = agentTasks;
if (!peer || !task) throw new Error(`there is no ${peerName}`);

const within = await runWithCap(2);
const beyond = await runWithCap(0.000_001);
const result: RivalResult = { ...within.result, showsCap: /cap of this session/.test(beyond.output) };
if (process.env.INFERENCE_RIVAL_OUTPUT) console.error(within.output, "\n=====\n", beyond.output);
console.log(JSON.stringify(result));
process.exit();

async function runWithCap(sessionCapUsd: number) {
  if (!peer || !task) throw new Error("there is no agent");
  const opened = openPeerFolder(task.files);
  const { folder, onDisk } = opened;
  const script = createScript(task, peer.style, folder, false);
  const report = (error: unknown) => console.error(error);
  const server = await startModelServer({
    models: [peer.style.model],
    reply: (results) => script.reply(results),
    usdPerMillion,
    report,
  });
  const budgets = { dayUsd: undefined, monthUsd: undefined, hardStop: false };
  const window = openWindow({ baseUrl: server.baseUrl, apiKey: "k", folder: temporaryFolder(), budgets });
  const clients = new ClientBook({ folder: temporaryFolder(), now: Date.now });
  const { id } = await clients.add(peer.style.name);
  await clients.setLimits(id, { sessionCapUsd, isPrivateOnly: false });
  const sessions = new SessionBook(Date.now);
  const gateway = await startGateway(0, {
    clientOf: (token) => clients.find(token),
    open: (agent) => openService(sessionOver(window), agent),
    sessions,
    now: Date.now,
  });
  const place = {
    program: join(installed, peer.program),
    folder,
    baseUrl: `http://127.0.0.1:${gateway.port}/v1`,
    key: await clients.token(id),
  };
  let output = "";
  for (const command of peer.commands(place, task.question)) output += await opened.run(command);
  await gateway.close();
  await server.close();
  const entries = await window.spend.entries(connection);
  const { month } = await window.spend.totals(connection);
  const fault = faultOf(() => task.check({ folder, onDisk }));
  opened.remove();
  const spent = moneyText(Counted.of(month).in("USD"));
  return {
    output,
    result: { calls: entries.length, sessions: sessions.all.length, spent, ...(fault ? { fault } : {}) },
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
