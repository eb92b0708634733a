// The same by an agent that this side has started, over the Agent Client Protocol.
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AgentSession } from "../../src/agents/agentSession.ts";
import { hostedAgents } from "../../src/agents/hostedAgents.ts";
import { agentLimits } from "../../src/agents/wire/agentLimits.ts";
import { peers } from "../bench/chat/agentPeers/peers.ts";
import { recordingHost } from "../unit/agents/agentKit.ts";
import { temporaryFolder } from "../unit/temporaryFolder.ts";
import type { RivalResult } from "./runRival.ts";
import { openTaskGateway } from "./taskGateway.ts";

/** What came of a task. */
export interface HostedResult extends RivalResult {
  /** Titles of its steps. */
  readonly steps: readonly string[];
  /** What it has asked before it did it. */
  readonly asked: readonly string[];
  /** Files that it has written through the window. */
  readonly written: number;
}

const [installed = "", name] = process.argv.slice(2);
const peer = peers.find(({ style }) => style.name === name);
const agent = hostedAgents.find((one) => one.name === name);
if (!peer || !agent) throw new Error(`there is no ${name}`);

const within = await runWithCap(2);
const beyond = await runWithCap(0.000_001);
const result: HostedResult = {
  ...within.result,
  showsCap: /cap of this session/.test(beyond.output),
  refusedTries: beyond.result.tries,
};
if (process.env.INFERENCE_RIVAL_OUTPUT) console.error(within.output, "\n=====\n", beyond.output);
console.log(JSON.stringify(result));
process.exit();

async function runWithCap(sessionCapUsd: number) {
  if (!peer || !agent) throw new Error("there is no agent");
  const { origin, folder, question, token, end } = await openTaskGateway(peer.style, sessionCapUsd);
  const own = temporaryFolder();
  const { model } = peer.style;
  const file = agent.file?.({ origin, model });
  if (file) {
    mkdirSync(dirname(join(own, file.path)), { recursive: true });
    writeFileSync(join(own, file.path), file.text, { mode: 0o600 });
  }
  const { told, host } = recordingHost({
    async ask(asking) {
      told.questions.push(asking);
      return asking.options.find(({ kind }) => kind === "allow_once")?.optionId;
    },
    read: (path) => readFile(path, "utf8"),
    async write(path, text) {
      told.written.push([path, text]);
      await writeFile(path, text);
    },
  });
  const variables = agent.variables({ origin, model, token }, own);
  const env = {
    PATH: process.env.PATH,
    HOME: dirname(folder),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    ...variables,
  };
  const start = {
    ...{ name: agent.name, version: "0", folder, env },
    command: [join(installed, peer.program), ...agent.args] as const,
    ...(agent.asksForModel ? { model } : {}),
  };
  const { signal } = new AbortController();
  let output = "";
  try {
    const session = await AgentSession.open(start, agentLimits, signal);
    const stopReason = await session.prompt([{ type: "text", text: question }], host, signal);
    session.kill();
    await session.whenOver;
    output = `${stopReason}\n`;
  } catch (error) {
    output = `${String(error)}\n`;
  }
  const calls = [...told.calls.values()];
  output += [told.text, told.reasoning, JSON.stringify(calls, undefined, 1)].join("\n");
  return {
    output,
    result: {
      ...(await end()),
      steps: calls.map(({ title }) => title),
      asked: told.questions.map(({ call }) => call.title),
      written: told.written.length,
    },
  };
}
