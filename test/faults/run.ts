// `npm run faults`: kill -9 before, within and after each write of each store, and a full disk from each write on. Prints
// the number of writes and faults; `-- --store chat` tries one store.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../tools/paths.ts";
import { KnownFailure } from "../tools/progress.ts";
import { allFaultsVariable } from "../unit/faults/faultPlan.ts";
import { isStore, storeNames } from "../unit/faults/stores.ts";

const memory = "/dev/shm";

const { values } = parseArgs({ options: { store: { type: "string" } } });
const { store } = values;
if (store !== undefined && !isStore(store))
  throw new KnownFailure(`No store "${store}". There are: ${storeNames.join(", ")}.`);
// In memory, because each durable write waits for the disk.
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), "inference-faults-"));
const file = join(root, "test/unit/faults/faults.test.ts");
const only = store === undefined ? [] : [`--test-name-pattern=^${store}:`];
try {
  const child = spawn(process.execPath, ["--test", ...only, file], {
    env: { ...process.env, [allFaultsVariable]: "yes", TMPDIR: folder },
    stdio: "inherit",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
