// Runs one task by one of the other agents, with the model's server beside it, in a process without a network.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startModelServer } from "../../../agentTasks/modelServer.ts";
import { createScript } from "../../../agentTasks/script.ts";
import { figuresOf } from "../../../agentTasks/taskFigures.ts";
import { agentTasks } from "../../../agentTasks/tasks.ts";
import { responsesDialect } from "../../../agentTasks/wire/responses.ts";
import { comparedTasks, type PeerFigures } from "./compared.ts";
import { type PeerCommand, peers } from "./peers.ts";

const longestMs = 120_000;

const [installed = "", peerName, taskName] = process.argv.slice(2);
const peer = peers.find(({ style }) => style.name === peerName);
const task = agentTasks.find(({ name }) => name === taskName);
if (!peer || !task) throw new Error(`there is no ${peerName}, or no task ${taskName}`);

const home = mkdtempSync(join(tmpdir(), "agent-peer-"));
try {
  const folder = join(home, "workspace");
  for (const [path, text] of Object.entries(task.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const onDisk = (path: string) => readFileSync(join(folder, path), "utf8");
  const failures: unknown[] = [];
  /** The results in each request. */
  const told: string[] = [];
  const script = createScript(task, peer.style, folder, false);
  const server = await startModelServer({
    models: [peer.style.model],
    reply(results) {
      told.push(results.join("\n"));
      return script.reply(results);
    },
    dialects: { "/responses": responsesDialect },
    report: (error) => failures.push(error),
  });
  const place = { program: join(installed, peer.program), folder, baseUrl: server.baseUrl };
  let output = "";
  for (const command of peer.commands(place, task.question)) output += await run(command, folder);
  await server.close();
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  script.assertEnded(output.slice(-2_000));
  const figures = figuresOf(server.requests);
  const found: PeerFigures = { figures, ...faultOf(() => task.check({ folder, onDisk }), told) };
  console.log(JSON.stringify(found));
} finally {
  rmSync(home, { recursive: true, force: true });
}

function faultOf(check: () => void, [, ...told]: readonly string[]): Pick<PeerFigures, "fault"> {
  try {
    check();
    const { facts = [] } = comparedTasks.find(({ name }) => name === taskName) ?? {};
    const round = facts.findIndex((fact, index) => !fact.test(told[index] ?? ""));
    return round < 0 ? {} : { fault: `it was not told ${facts[round]} after answer ${round + 1}` };
  } catch (error) {
    const [fault = ""] = String(error).split("\n");
    return { fault };
  }
}

/** Resolves to the output, however the program ends. */
function run({ program, args, env }: PeerCommand, cwd: string): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: longestMs,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(output));
  });
}
