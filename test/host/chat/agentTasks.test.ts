// The agent does nine tasks with the recorded answers of three families of models: each is told what it needs, in as many
// rounds as it has answers.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTask } from "../../agentTasks/runTask.ts";
import { claude, gpt, local } from "../../agentTasks/styles.ts";
import { agentTasks } from "../../agentTasks/tasks.ts";
import { sendEvent } from "../channel.ts";

describe("tasks of an agent", () => {
  let storage: string;
  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), "agent-task-"));
  });
  afterEach(() => rmSync(storage, { recursive: true, force: true }));
  for (const style of [claude, gpt, local])
    for (const task of agentTasks.filter(({ name }) =>
      `${name} ${style.name}`.includes(process.env.AGENT_TASKS ?? ""),
    ))
      it(`${task.name}, as a ${style.name} does it`, async () => {
        const value = await runTask(task, style, storage);
        sendEvent({ type: "value", name: `${task.name}, ${style.name}`, value });
      });
});
