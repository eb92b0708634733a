// A window in a process of its own (budgetChild.ts).
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const child = fileURLToPath(new URL("./budgetChild.ts", import.meta.url));

export function startWindow(t: TestContext, about: object, apiKey: string): ChildProcess {
  const started = spawn(process.execPath, [child, JSON.stringify(about)], {
    env: { ...process.env, TEST_API_KEY: apiKey },
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => started.kill("SIGKILL"));
  return started;
}

export const lineOf = async (one: ChildProcess) => String((await once(one.stdout ?? one, "data"))[0]).trim();
