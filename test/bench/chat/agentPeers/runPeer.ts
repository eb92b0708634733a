// Runs one task by one of the other agents, with the model's server beside it, in a process without a network.
import { join } from "node:path";
import { startModelServer } from "../../../agentTasks/modelServer.ts";
import { createScript } from "../../../agentTasks/script.ts";
import { figuresOf } from "../../../agentTasks/taskFigures.ts";
import { agentTasks } from "../../../agentTasks/tasks.ts";
import { responsesDialect } from "../../../agentTasks/wire/responses.ts";
import { comparedTasks, type PeerFigures } from "./compared.ts";
import { openPeerFolder } from "./peerFolder.ts";
import { peers } from "./peers.ts";

const [installed = "", peerName, taskName] = process.argv.slice(2);
const peer = peers.find(({ style }) => style.name === peerName);
const task = agentTasks.find(({ name }) => name === taskName);
if (!peer || !task) throw new Error(`there is no ${peerName}, or no task ${taskName}`);

const opened = openPeerFolder(task.files);
try {
  const { folder, onDisk } = opened;
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
  const place = { program: join(installed, peer.program), folder, baseUrl: server.baseUrl, key: "key" };
  let output = "";
  for (const command of peer.commands(place, task.question)) output += await opened.run(command);
  await server.close();
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  script.assertEnded(output.slice(-2_000));
  const figures = figuresOf(server.requests);
  const found: PeerFigures = { figures, ...faultOf(() => task.check({ folder, onDisk }), told) };
  console.log(JSON.stringify(found));
} finally {
  opened.remove();
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
