// A chat of the scripted model over a Git repository, whose subagents act.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { ToolSource } from "../../../../../../src/chat/host/tools/toolList.ts";
import type { ChatSettings } from "../../../../../../src/chat/protocol/chatSettings.ts";
import { openWindow } from "../../../../session/budgetWindow.ts";
import { openConsents } from "../../../../session/openConsents.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";
import { openChat, openViewWith, serveChat, type TestService, type TestView } from "../../../chat.ts";
import { delegate, tool } from "../subagentsKit.ts";
import type { Workspace } from "./actingKit.ts";

export const act = (task: string, more: object = {}) => delegate(task, { mode: "act", ...more });
export const edit = (path: string, old_text: string, new_text: string) => ({
  name: "edit_file",
  arguments: { path, edits: [{ old_text, new_text }] },
});

interface Opened {
  readonly view: TestView;
  readonly service: TestService;
  readonly window: ReturnType<typeof openWindow>;
  /** Resolves once a subagent has waited in a call that does not end. */
  readonly hanging: Promise<void>;
  /** Ends that call. */
  release(): void;
}

/** A task over a workspace. `scripts` are files that the agent reads, and its subagents read in their own trees. */
export async function open(
  t: TestContext,
  workspace: Workspace,
  scripts: Readonly<Record<string, object>>,
  settings: ChatSettings = { mode: "agent" },
  editing: readonly string[] = ["edit_file", "write_file", "move_file", "delete_file"],
): Promise<Opened> {
  const service = await serveChat(t);
  const window = openWindow({
    ...service.sandbox,
    folder: temporaryFolder(),
    budgets: { dayUsd: undefined, monthUsd: undefined, hardStop: false },
  });
  const hanging = Promise.withResolvers<void>();
  const released = Promise.withResolvers<string>();
  const unused = async () => assert.fail("it ran in the workspace");
  const tools = [
    tool("read_file", "read", async ({ path }) => JSON.stringify(scripts[String(path)])),
    ...editing.map((name) => tool(name, "edit", unused)),
    tool("run_command", "command", unused),
  ];
  const source: ToolSource = {
    read: async () => ({ tools }),
    onDidChange: () => ({ dispose() {} }),
    approvals: {
      mayRunUnasked: () => true,
      isAllowed: () => false,
      consents: openConsents(),
      runFileChanges: () => 0,
    },
    trees: {
      async open(signal) {
        const tree = await workspace.trees.open(signal);
        const isHanging = (input: object) => JSON.stringify(input).includes("hang.json");
        return {
          ...tree,
          tools: tree.tools.map((one) => ({
            ...one,
            run: (input, given, context) => {
              if (isHanging(input)) hanging.resolve();
              return isHanging(input)
                ? released.promise
                : (one.run?.(input, given, context) ?? assert.fail("it does not run"));
            },
          })),
        };
      },
    },
  };
  const { controller } = openChat(t, service, { api: window.api, money: window, source });
  const view = await openViewWith(controller, "scripted");
  await view.say("setSettings", { settings });
  return { view, service, window, hanging: hanging.promise, release: () => released.resolve("Nothing.") };
}

export const asFiles = (scripts: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(scripts).map(([name, one]) => [name, JSON.stringify(one)]));
