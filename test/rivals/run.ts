// Other agents, as programs of npm, through the gateway: `npm run rivals`. The variable names the folder in which
// `npm i --ignore-scripts @openai/codex opencode-linux-x64 cline @anthropic-ai/claude-code` has run.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { hostedAgents } from "../../src/agents/hostedAgents.ts";
import { installedPeers, type Peer } from "../bench/chat/agentPeers/peers.ts";
import { root } from "../tools/paths.ts";
import type { ChatResult } from "./runChat.ts";
import type { HostedResult } from "./runHosted.ts";
import type { RivalResult } from "./runRival.ts";

const folderVariable = "INFERENCE_AGENT_PEERS";
const folder = process.env[folderVariable] ?? "";
const peers = process.platform === "linux" ? installedPeers(folder) : [];
if (peers.length === 0)
  console.log(`No other agent was found. ${folderVariable} names the folder of those of npm.`);

for (const peer of peers) {
  const result = await resultOf<RivalResult>("runRival.ts", peer);
  report(peer, result, "");
  if (!hostedAgents.some(({ name }) => name === peer.style.name)) continue;
  const hosted = await resultOf<HostedResult>("runHosted.ts", peer);
  const { steps, asked, written } = hosted;
  const facts = `${steps.length} steps, ${asked.length} of them asked, ${written} files through the window`;
  report(peer, hosted, ` as an agent of the window (${facts})`);
  reportChat(peer, await resultOf<ChatResult>("runChat.ts", peer));
}

/** Of a refused call: the question, and the title of the session. */
const mostTries = 2;

function report({ style }: Peer, result: RivalResult, how: string): void {
  const { calls, sessions, spent, fault, showsCap, refusedTries } = result;
  const end = fault === undefined ? "did the task" : `did not do the task: ${fault}`;
  const cap = showsCap ? "shows why its cap refuses a call" : "does not show why its cap refuses a call";
  console.log(
    `${style.name}${how}: ${end}; ${calls} calls in ${sessions} sessions, ${spent}; ${cap}, after ${refusedTries} tries.`,
  );
  if (fault !== undefined || !showsCap || refusedTries > mostTries) process.exitCode = 1;
}

function reportChat({ style }: Peer, { facts, fault }: ChatResult): void {
  console.log(`${style.name} in the chat: ${[...facts, ...(fault ? [`failed: ${fault}`] : [])].join("; ")}.`);
  if (fault !== undefined) process.exitCode = 1;
}

/** In a network that has nothing but this machine. */
async function resultOf<Result>(file: string, { style }: Peer): Promise<Result> {
  const inside = 'ip link set lo up && exec "$@"';
  const script = join(root, "test/rivals", file);
  const command = ["-rn", "bash", "-c", inside, "bash", process.execPath, script, folder, style.name];
  const { stdout, stderr } = await promisify(execFile)("unshare", command, { maxBuffer: 50_000_000 });
  if (stderr) console.error(stderr);
  return JSON.parse(stdout) as Result;
}
