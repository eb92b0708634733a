// The same tasks by this agent and by others, with the same recorded answers: how much each sends, and how fast it goes on.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TaskFigures } from "../../agentTasks/taskFigures.ts";
import { root } from "../../tools/paths.ts";
import { runInHost } from "../../vscode/hostRun.ts";
import { atMostTimes, type Benchmark, type Figure, pairOf } from "../figure.ts";
import { comparedTasks, type PeerFigures } from "./agentPeers/compared.ts";
import { installedPeers, type Peer } from "./agentPeers/peers.ts";

/** The folder in which `npm i --ignore-scripts @openai/codex opencode-linux-x64 cline` has run. */
const folderVariable = "INFERENCE_AGENT_PEERS";

export const benchmark: Benchmark = {
  name: "agent-peers",
  async run() {
    const folder = process.env[folderVariable] ?? "";
    const installed = process.platform === "linux" ? installedPeers(folder) : [];
    const peers = installed.filter(({ needsGateway }) => !needsGateway);
    if (peers.length === 0) {
      console.log(
        `agent-peers: no other agent was found. ${folderVariable} names the folder of those of npm.`,
      );
      return {};
    }
    const ours = await ownFigures();
    const figures: Record<string, Figure> = {};
    for (const { name: task } of comparedTasks) {
      const own = ours.get(task) as TaskFigures;
      const others: PeerFigures[] = [];
      for (const peer of peers) others.push(await figuresOfPeer(folder, peer, task));
      const short = task.replaceAll(" ", "-");
      // One that has done less takes less time.
      const whole = others.filter(({ fault }) => fault === undefined);
      const beside = (of: (figures: TaskFigures) => number, unit: string, those = others) =>
        atMostTimes(
          pairOf(of(own), Math.min(...those.map(({ figures }) => of(figures)))),
          ...([unit, 1, "the least of the others"] as const),
        );
      figures[`agent-peers.first.${short}`] = beside(({ firstBytes }) => firstBytes, "B");
      figures[`agent-peers.sent.${short}`] = beside(({ bytes }) => bytes, "B");
      // Each answer asks for other work: a median would compare the search of one with the edits of another.
      for (const [index] of whole.length > 0 ? own.afterMs.entries() : []) {
        const after = ({ afterMs }: TaskFigures) => afterMs[index] ?? Number.NaN;
        figures[`agent-peers.next.${short}.${index + 1}`] = beside(after, "ms", whole);
      }
    }
    return figures;
  },
};

async function ownFigures(): Promise<ReadonlyMap<string, unknown>> {
  const { failed, values } = await runInHost({
    name: "agent-peers",
    files: ["test/bench/chat/agentPeers/inHost.ts"],
  });
  const [failure] = failed;
  if (failure) throw new Error(`${failure.title}: ${failure.stack}`);
  for (const [task, figures] of values) tell("Inference Workbench", task, figures as TaskFigures);
  return values;
}

/** In a network that has nothing but this machine. */
async function figuresOfPeer(folder: string, { style }: Peer, task: string): Promise<PeerFigures> {
  const script = join(root, "test/bench/chat/agentPeers/runPeer.ts");
  const inside = 'ip link set lo up && exec "$@"';
  const command = ["-rn", "bash", "-c", inside, "bash", process.execPath, script, folder, style.name, task];
  const { stdout } = await promisify(execFile)("unshare", command);
  const found = JSON.parse(stdout) as PeerFigures;
  tell(style.name, task, found.figures, found.fault);
  return found;
}

function tell(
  agent: string,
  task: string,
  { rounds, firstBytes, bytes, afterMs }: TaskFigures,
  fault = "",
): void {
  const waits = afterMs.map((ms) => Math.round(ms)).join(", ");
  const end = fault === "" ? "" : ` It was not done: ${fault}`;
  console.log(
    `${agent}, ${task}: ${rounds} requests, the first ${firstBytes} B, all ${bytes} B; next request after ${waits} ms.${end}`,
  );
}
