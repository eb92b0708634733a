// `npm run changes`: 100,000 random cases of changes by agent, programs and user, also of notebooks, of what is not saved and with
// kills of the process, which must end with the original bytes;
// `-- --runs N` runs another number, `-- --seed N` the cases of an earlier run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { casesVariable } from "../runner/cases.ts";
import { root } from "../tools/paths.ts";

const files = ["editorChanges", "hunkList"].map((name) =>
  join(root, `test/unit/changes/engine/${name}.test.ts`),
);
const memory = "/dev/shm";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  },
});
const processes = availableParallelism();
const cases = String(Math.ceil(Number(values.runs) / processes));
// In memory, because each durable write waits for the disk.
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), "inference-changes-"));
const env = { ...process.env, [casesVariable]: cases, TMPDIR: folder };
const seeding = pathToFileURL(join(root, "test/runner/seed.ts")).href;
console.log(`${values.runs} cases, --seed ${values.seed}`);
try {
  const codes = await Promise.all(
    Array.from({ length: processes }, async (_, index) => {
      const child = spawn(process.execPath, ["--import", seeding, "--test", ...files], {
        // Each process has cases of its own.
        env: { ...env, INFERENCE_TEST_SEED: String(Number(values.seed) + index) },
        stdio: "inherit",
      });
      return (await once(child, "exit"))[0] as number | null;
    }),
  );
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
