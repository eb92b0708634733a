// The process that runs a workload: `child.ts <store> <storage> <user>`, with faultyDisk.ts loaded before.
import { freeSpace, writeLine } from "./faultyDisk.ts";
import { isStore, loadWorkload } from "./stores.ts";
import type { Teller } from "./workload.ts";

const [store = "", storage = "", user = ""] = process.argv.slice(2);
const tell = (kind: string, what: string) => writeLine(JSON.stringify([kind, what]));
const told: Teller = {
  kept: (what) => tell("kept", what),
  begun: (what) => tell("begun", what),
  said: (what) => tell("said", what),
  async step(what, work) {
    tell("begun", what);
    try {
      await work();
      tell("kept", what);
      return true;
    } catch (error) {
      tell("refused", `${what}: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  },
  async space() {
    freeSpace();
  },
};
if (!isStore(store)) throw new Error(`no store ${store}`);
const workload = await loadWorkload(store);
await workload.run({ storage, user }, told);
process.once("beforeExit", () => tell("end", ""));
