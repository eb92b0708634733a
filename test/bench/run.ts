// npm run bench: measures, prints a table, and with `-- --json FILE` writes it; `-- --only NAME` runs one benchmark.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { endChildrenWithThisProcess } from "../runner/children.ts";
import { packageExtension } from "../tools/package.ts";
import { benchmark as accountTable } from "./account/accountTable.ts";
import { benchmark as exportUsage } from "./account/exportUsage.ts";
import { benchmark as usageCsv } from "./account/usageCsv.ts";
import { benchmark as usagePage } from "./account/usagePage.ts";
import { benchmark as activation } from "./activation.ts";
import { benchmark as cancel } from "./api/cancel.ts";
import { benchmark as sse } from "./api/sse.ts";
import { benchmark as transport } from "./api/transport.ts";
import { benchmark as upload } from "./api/upload.ts";
import { benchmark as bundle } from "./bundle.ts";
import { benchmark as agentCommand } from "./changes/agentCommand.ts";
import { benchmark as agentEdit } from "./changes/agentEdit.ts";
import { benchmark as agentTyping } from "./changes/agentTyping.ts";
import { benchmark as agentPeers } from "./chat/agentPeers.ts";
import { benchmark as chatAnswer } from "./chat/chatAnswer.ts";
import { benchmark as chatOpen } from "./chat/chatOpen.ts";
import { benchmark as chatRender } from "./chat/chatRender.ts";
import { benchmark as chatSearch } from "./chat/chatSearch.ts";
import { benchmark as parseGrowth } from "./chat/parseGrowth.ts";
import { benchmark as ttft } from "./chat/ttft.ts";
import { benchmark as completionLatency } from "./completions/completionLatency.ts";
import type { Benchmark, Figure } from "./figure.ts";
import { benchmark as gatewayOverhead } from "./gateway/gatewayOverhead.ts";
import { benchmark as gallery } from "./images/gallery.ts";
import { benchmark as lmOverhead } from "./languageModels/lmOverhead.ts";
import { benchmark as rpcBatch } from "./rpc/rpcBatch.ts";
import { benchmark as rpcBill } from "./rpc/rpcBill.ts";
import { benchmark as rpcNotebook } from "./rpc/rpcNotebook.ts";
import { benchmark as rpcRun } from "./rpc/rpcRun.ts";
import { benchmark as rpcRunAll } from "./rpc/rpcRunAll.ts";
import { benchmark as workspaceSearch } from "./search/workspaceSearch.ts";
import { benchmark as speechFirstSound } from "./speech/speechFirstSound.ts";
import { benchmark as parseFolder } from "./web/parseFolder.ts";

const benchmarks: readonly Benchmark[] = [
  bundle,
  activation,
  transport,
  cancel,
  sse,
  chatAnswer,
  lmOverhead,
  gatewayOverhead,
  usagePage,
  usageCsv,
  exportUsage,
  accountTable,
  chatSearch,
  workspaceSearch,
  completionLatency,
  agentCommand,
  agentEdit,
  agentPeers,
  rpcBatch,
  rpcNotebook,
  rpcBill,
  rpcRun,
  rpcRunAll,
  upload,
  parseFolder,
  chatRender,
  parseGrowth,
  chatOpen,
  gallery,
  agentTyping,
  ttft,
  speechFirstSound,
];

endChildrenWithThisProcess();

const { values } = parseArgs({ options: { json: { type: "string" }, only: { type: "string" } } });
const chosen = benchmarks.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0) {
  console.error(
    `There is no benchmark "${values.only}"; there are: ${benchmarks.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}

if (chosen.some(({ needsPackage }) => needsPackage)) await packageExtension();

const figures: Record<string, Figure> = {};
for (const benchmark of chosen) {
  const measured = await benchmark.run();
  for (const [name, figure] of Object.entries(measured)) console.log(row(name, figure));
  Object.assign(figures, measured);
}
if (values.json !== undefined) {
  mkdirSync(dirname(values.json), { recursive: true });
  writeFileSync(values.json, `${JSON.stringify(figures, undefined, 2)}\n`);
}
const missed = Object.values(figures).filter(({ met }) => !met).length;
if (missed > 0) console.log(`${missed} of ${Object.keys(figures).length} bars missed.`);
process.exitCode = missed > 0 ? 1 : 0;

function row(name: string, { value, unit, peer, ratio, bar, met }: Figure): string {
  const cells = [`${value} ${unit}`.padStart(18), `peer ${peer}`.padStart(16), `ratio ${ratio}`.padStart(14)];
  return `${met ? "✔" : "✖"} ${name.padEnd(22)} ${cells.join("  ")}   ${bar}`;
}
