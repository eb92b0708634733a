// The agent does nine tasks with the recorded answers of three families of models: each is told what it needs, in as many
// rounds as it has answers. `npm test` takes one family for each task.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandRuns, createCommandRuns } from "../../../src/chat/host/tools/commands/commandRuns.ts";
import { folder, runTask } from "../../agentTasks/runTask.ts";
import { claude, gpt, local } from "../../agentTasks/styles.ts";
import { agentTasks, casesOf } from "../../agentTasks/tasks.ts";
import { listedCases } from "../../runner/cases.ts";
import { sendEvent } from "../channel.ts";

describe("tasks of an agent", () => {
  let storage: string;
  let runs: CommandRuns;
  before(() => {
    runs = createCommandRuns(folder);
  });
  after(() => runs.dispose());
  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), "agent-task-"));
  });
  afterEach(() => rmSync(storage, { recursive: true, force: true }));
  for (const { task, style } of listedCases(casesOf([claude, gpt, local]), agentTasks.length).filter(
    ({ task, style }) => `${task.name} ${style.name}`.includes(process.env.AGENT_TASKS ?? ""),
  ))
    it(`${task.name}, as a ${style.name} does it`, async () => {
      const value = await runTask(task, style, storage, runs);
      sendEvent({ type: "value", name: `${task.name}, ${style.name}`, value });
    });
});
