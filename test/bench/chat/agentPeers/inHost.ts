// Runs inside an extension host: the compared tasks by the agent of this extension.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCommandRuns } from "../../../../src/chat/host/tools/commands/commandRuns.ts";
import { folder, runTask } from "../../../agentTasks/runTask.ts";
import { claude } from "../../../agentTasks/styles.ts";
import { agentTasks } from "../../../agentTasks/tasks.ts";
import { sendEvent } from "../../../host/channel.ts";
import { comparedTasks } from "./compared.ts";

describe("compared tasks", () => {
  const runs = createCommandRuns(folder);
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
