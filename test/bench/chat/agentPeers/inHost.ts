// Runs inside an extension host: the compared tasks by the agent of this extension.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createCommandRuns } from "../../../../src/chat/host/tools/commands/commandRuns.ts";
import { folder, runTask } from "../../../agentTasks/runTask.ts";
import { claude } from "../../../agentTasks/styles.ts";
import { agentTasks } from "../../../agentTasks/tasks.ts";
import { sendEvent } from "../../../host/channel.ts";
import { comparedTasks } from "./compared.ts";

const lookMs = 1_000;
const mostLooks = 60;

/** The window is still loading when the host begins: the others have no such load, and their users no such wait. */
async function settled(): Promise<void> {
  const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0);
  for (let look = 0; look < mostLooks; look++) {
    const before = idleMs();
    await setTimeout(lookMs);
    if (idleMs() - before > 0.9 * lookMs * availableParallelism()) return;
  }
}

describe("compared tasks", () => {
  const runs = createCommandRuns(folder);
  before(settled);
  after(() => runs.dispose());
  for (const task of agentTasks.filter(({ name }) => comparedTasks.some((task) => task.name === name)))
    it(task.name, async () => {
      const storage = mkdtempSync(join(tmpdir(), "agent-task-"));
      try {
        sendEvent({ type: "value", name: task.name, value: await runTask(task, claude, storage, runs) });
      } finally {
        rmSync(storage, { recursive: true, force: true });
      }
    });
});
