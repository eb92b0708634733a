// Runs a task by one of the other agents through the gateway, in a process without a network: within its cap, and then with
// a cap that refuses its first call.
import { join } from "node:path";
import { peers } from "../bench/chat/agentPeers/peers.ts";
import { openTaskGateway, type TaskEnd } from "./taskGateway.ts";

/** What came of a task. */
export interface RivalResult extends TaskEnd {
  /** True if the output of the refused run has the sentence. */
  readonly showsCap: boolean;
  /** How often it has tried a call that its cap refused. */
  readonly refusedTries: number;
}

const [installed = "", peerName] = process.argv.slice(2);
const peer = peers.find(({ style }) => style.name === peerName);
if (!peer) throw new Error(`there is no ${peerName}`);

const within = await runWithCap(2);
const beyond = await runWithCap(0.000_001);
const result: RivalResult = {
  ...within.result,
  showsCap: /cap of this session/.test(beyond.output),
  refusedTries: beyond.result.tries,
};
if (process.env.INFERENCE_RIVAL_OUTPUT) console.error(within.output, "\n=====\n", beyond.output);
console.log(JSON.stringify(result));
process.exit();

async function runWithCap(sessionCapUsd: number) {
  if (!peer) throw new Error("there is no agent");
  const { origin, folder, question, token, run, end } = await openTaskGateway(peer.style, sessionCapUsd);
  const place = { program: join(installed, peer.program), folder, baseUrl: `${origin}/v1`, key: token };
  let output = "";
  for (const command of peer.commands(place, question)) output += await run(command);
  return { output, result: await end() };
}
