// What each request begins with is paid for in each round. So it has a limit, with all tools and a realistic workspace.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toChatRequest } from "../../../../../src/chat/host/answer/answerRequest.ts";
import { askEnvironmentText, environmentText } from "../../../../../src/chat/host/prompt/environment.ts";
import { noGuidance } from "../../../../../src/chat/host/prompt/guidance.ts";
import { systemText } from "../../../../../src/chat/host/prompt/systemText.ts";
import type { EditorToolsDeps } from "../../../../../src/chat/host/tools/editorTools.ts";
import {
  type ChatMode,
  defaultTaskLimits,
  toolsOfMode,
} from "../../../../../src/chat/protocol/agentModes.ts";
import { estimateTokens } from "../../../../../src/shared/chat/tokenEstimate.ts";
import { notebooks } from "../../../../../src/shared/names/ids.ts";
import { replace } from "../../../vscodeDouble.ts";
import { openWindow } from "./promptSource.ts";

// A chain notebook is open: its tools are offered, too.
replace("workspace", { workspaceFolders: [], notebookDocuments: [{ notebookType: notebooks.rpc }] });
const { createEditorTools } = await import("../../../../../src/chat/host/tools/editorTools.ts");

const folders = ["src", "test", "docs", "scripts", "packages", "media", ".github"];
const files = [
  "index.ts",
  "server.ts",
  "router.ts",
  "README.md",
  "handlers.test.ts",
  "database/",
  "views/",
  "models/",
];
const tree = [
  {
    folder: "./",
    names: ["package.json", "tsconfig.json", "README.md", ...folders.map((name) => `${name}/`)],
  },
  ...folders.map((name) => ({ folder: `${name}/`, names: files })),
];
const facts = {
  ...{ date: "2026-11-26", branch: "feature/checkout-form", ahead: 2, behind: 1, changes: 7 },
  activeFile: { path: "src/router.ts", firstLine: 10, lastLine: 42 },
  openFiles: files.slice(0, 5).map((name) => `src/${name}`),
  unsavedFiles: ["src/router.ts"],
};

/** The messages and the tools of a first question, as they are sent. */
async function firstRequest(mode: ChatMode): Promise<string> {
  const { tools } = await createEditorTools({
    runs: { onDidChange() {} },
  } as unknown as EditorToolsDeps).read();
  const { machine } = openWindow();
  const environment =
    mode === "ask"
      ? askEnvironmentText(machine, facts)
      : environmentText(machine, facts, defaultTaskLimits, tree);
  const skill = {
    kind: "skill",
    description: "Makes a release of the package, with tag and notes.",
  } as const;
  const listed = ["release", "migrate"].map((name) => ({
    ...skill,
    name,
    path: `.agents/skills/${name}/SKILL.md`,
  }));
  const names = toolsOfMode(tools, mode, []).map(({ name }) => name);
  const system = systemText({
    own: undefined,
    mode,
    environment,
    tools: names,
    guidance: { ...noGuidance, listed },
  });
  const { messages, tools: offered } = toChatRequest({
    ...{ model: "m", card: undefined, parts: new Map(), choices: 1, cacheKey: "c", tools },
    settings: { mode, system },
    path: [
      { role: "user", id: "q", text: "The tests of the checkout form fail. Find out why, and mend it." },
    ],
  });
  return JSON.stringify({ messages, tools: offered });
}

test("the first request of a task has at most 4,000 tokens, that of a question in Ask at most 300", async () => {
  const agent = await firstRequest("agent");
  assert.ok(estimateTokens(agent) <= 4_000, `${estimateTokens(agent)} tokens:\n${agent}`);
  assert.match(agent, /"name":"run_command"/);
  assert.ok(estimateTokens(await firstRequest("plan")) < estimateTokens(agent));
  assert.ok(estimateTokens(await firstRequest("ask")) <= 300, await firstRequest("ask"));
});
