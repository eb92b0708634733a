// npm run bench: measures, prints a table, and with `-- --json FILE` writes it; `-- --only NAME` runs one benchmark.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { packageExtension } from "../tools/package.ts";
import { benchmark as accountTable } from "./accountTable.ts";
import { benchmark as activation } from "./activation.ts";
import { benchmark as agentEdit } from "./agentEdit.ts";
import { benchmark as agentTyping } from "./agentTyping.ts";
import { benchmark as bundle } from "./bundle.ts";
import { benchmark as cancel } from "./cancel.ts";
import { benchmark as chatAnswer } from "./chatAnswer.ts";
import { benchmark as chatOpen } from "./chatOpen.ts";
import { benchmark as chatRender } from "./chatRender.ts";
import { benchmark as chatSearch } from "./chatSearch.ts";
import { benchmark as completionLatency } from "./completionLatency.ts";
import { benchmark as exportUsage } from "./exportUsage.ts";
import type { Benchmark, Figure } from "./figure.ts";
import { benchmark as gallery } from "./gallery.ts";
import { benchmark as lmOverhead } from "./lmOverhead.ts";
import { benchmark as parseFolder } from "./parseFolder.ts";
import { benchmark as parseGrowth } from "./parseGrowth.ts";
import { benchmark as rpcBatch } from "./rpcBatch.ts";
import { benchmark as rpcBill } from "./rpcBill.ts";
import { benchmark as rpcNotebook } from "./rpcNotebook.ts";
import { benchmark as rpcRun } from "./rpcRun.ts";
import { benchmark as speechFirstSound } from "./speechFirstSound.ts";
import { benchmark as sse } from "./sse.ts";
import { benchmark as transport } from "./transport.ts";
import { benchmark as ttft } from "./ttft.ts";
import { benchmark as upload } from "./upload.ts";
import { benchmark as usageCsv } from "./usageCsv.ts";
import { benchmark as usagePage } from "./usagePage.ts";

const benchmarks: readonly Benchmark[] = [
  bundle,
  activation,
  transport,
  cancel,
  sse,
  chatAnswer,
  lmOverhead,
  usagePage,
  usageCsv,
  exportUsage,
  accountTable,
  chatSearch,
  completionLatency,
  agentEdit,
  rpcBatch,
  rpcNotebook,
  rpcBill,
  rpcRun,
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
