// `npm run changes`: 100,000 random cases of changes by agent, programs and user, also of notebooks, of what is not saved and with
// kills of the process, which must end with the original bytes;
// `-- --runs N` runs another number, `-- --seed N` the cases of an earlier run, `-- --processes N` takes so many cores.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../tools/paths.ts";

const memory = "/dev/shm";
/** Each part is a process of its own, so that none grows, and that its seed repeats a failure soon. */
const partCases = 1_000;
/**
 * One of so many parts lists the files by ripgrep, which takes a process each time, and reaches the disk by the threads of Node.
 * The others do both in their own thread, in an order that the case determines.
 */
const realShare = 12;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    processes: { type: "string", default: String(availableParallelism()) },
  },
});
const [runs, firstSeed] = [Number(values.runs), Number(values.seed)];
// In memory, because each durable write waits for the disk.
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), "inference-changes-"));
console.log(`${runs} cases, --seed ${firstSeed}`);
let next = 0;
let passed = 0;
let hasFailed = false;
try {
  await Promise.all(Array.from({ length: Number(values.processes) }, runParts));
  process.exitCode = hasFailed ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs parts until none is left, or one has failed. */
async function runParts(): Promise<void> {
  while (next * partCases < runs && !hasFailed) {
    const part = next++;
    const cases = Math.min(partCases, runs - part * partCases);
    if (await runPart(part, cases)) {
      passed += cases;
      console.log(`${passed} cases have passed, the last part was --seed ${firstSeed + part}`);
    } else {
      hasFailed = true;
      console.log(`✖ --runs ${cases} --seed ${firstSeed + part}`);
    }
  }
}

async function runPart(part: number, cases: number): Promise<boolean> {
  const real = part % realShare === 0 ? ["--real"] : [];
  const options = ["--runs", String(cases), "--seed", String(firstSeed + part), ...real];
  const child = spawn(process.execPath, [join(root, "test/changes/cases.ts"), ...options], {
    env: { ...process.env, TMPDIR: folder },
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return code === 0;
}
