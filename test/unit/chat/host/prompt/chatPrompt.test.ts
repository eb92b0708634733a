import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import * as fc from "fast-check";
import type { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { ChatPrompt } from "../../../../../src/chat/host/prompt/chatPrompt.ts";
import { narrowedTools } from "../../../../../src/chat/host/prompt/customModes.ts";
import type { ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import { toolKinds, toolsOfMode } from "../../../../../src/chat/protocol/agentModes.ts";
import type { CustomMode, InstructionFile } from "../../../../../src/chat/protocol/chatGuidance.ts";
import type { ChatSettings } from "../../../../../src/chat/protocol/chatSettings.ts";
import { estimateTokens } from "../../../../../src/shared/chat/tokenEstimate.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { ended, openChat, openView, serveChat, type TestChat } from "../../chat.ts";
import { tool, weather } from "../../weatherTool.ts";
import { openWindow, type TestWindow } from "./promptSource.ts";

const reviewer: CustomMode & InstructionFile = {
  id: ".github/agents/review.agent.md",
  path: ".github/agents/review.agent.md",
  name: "Reviewer",
  description: "Reviews.",
  model: "An Expensive Model",
  tools: ["read"],
  text: "Find faults.",
};
const editTool: ChatTool = { ...tool("edit_file", async () => "Changed."), kind: "edit" };

/** A chat whose requests are kept. */
async function openPrompted(t: TestContext, window: TestWindow, tools: readonly ChatTool[] = [weather()]) {
  const service = await serveChat(t);
  const plain = openChat(t, service);
  const { api } = await plain.client();
  const requests: ChatRequest[] = [];
  const stream: typeof api.chat.stream = (input, options) => {
    requests.push(input as ChatRequest);
    return api.chat.stream(input, options);
  };
  const kept = { ...api, chat: { ...api.chat, stream } };
  const chat = openChat(t, service, { api: kept, prompt: window, tools });
  const ask = async (of: TestChat, text: string, settings: ChatSettings) => {
    const view = await openView(of.controller);
    await view.until(({ models }) => models.status === "ready");
    await view.say("setSettings", { settings });
    await view.say("send", { text, revision: 1e13 + requests.length });
    await view.until((state) => !state.busy && (state.problem !== null || ended(state)));
    return view;
  };
  return { chat, requests, ask };
}

const systemOf = (request: ChatRequest | undefined) => {
  const [first] = request?.messages ?? [];
  return first?.role === "system" ? String(first.content) : "";
};
const lastOf = (request: ChatRequest | undefined) => String(request?.messages.at(-1)?.content);

test("Ask tells where it runs after the user's own system prompt, in less than 250 tokens; or the user's alone", async (t) => {
  const { chat, requests, ask } = await openPrompted(t, openWindow());
  await ask(chat, "Hello", { system: "Be brief." });
  assert.match(
    systemOf(requests[0]),
    /^Be brief\.\n\nYou answer in the chat of Visual Studio Code on Linux x64;/,
  );
  assert.doesNotMatch(systemOf(requests[0]), /tools/);
  assert.ok(systemOf(requests[0]).length < 1000, systemOf(requests[0]));
  await ask(chat, "Hello", { tools: ["get_weather"] });
  assert.match(systemOf(requests.at(-1)), /what is attached or your tools read\.$/);
  await ask(chat, "Hello", { system: "Be brief.", onlyOwnPrompt: true });
  assert.equal(systemOf(requests.at(-1)), "Be brief.");
  await ask(chat, "Hello", { onlyOwnPrompt: true });
  assert.equal(requests.at(-1)?.messages[0]?.role, "user");
});

test("the environment is taken at the first question: a reload of the window sends the same bytes, another chat new ones", async (t) => {
  const window = openWindow({ files: [{ path: "AGENTS.md", text: "Use tabs." }] });
  const { chat, requests, ask } = await openPrompted(t, window);
  await ask(chat, "Hello", { mode: "plan" });
  window.now = { ...window.now, branch: "other", unsavedFiles: ["src/a.ts"] };
  chat.controller.dispose();
  const reopened = chat.reopen();
  await ask(reopened, "And now?", { mode: "plan" });
  const [first, second] = requests;
  assert.equal(systemOf(second), systemOf(first));
  assert.match(systemOf(first), /- Git branch: main\n[\s\S]*AGENTS\.md:\nUse tabs\.$/);
  assert.equal(
    lastOf(second),
    "And now?\n\nChanged since, as the editor tells it (the user did not write this):\n- Git branch: other\n- Unsaved files: src/a.ts",
  );
  await reopened.controller.newChat();
  await ask(reopened, "Hello", { mode: "plan" });
  assert.match(systemOf(requests.at(-1)), /- Git branch: other\n/);
  assert.equal(lastOf(requests.at(-1)), "Hello");
});

test("instructions of a folder are told once, after the first call that names a file below it", async (t) => {
  const window = openWindow();
  const file = { path: "packages/a/AGENTS.md", text: "Only a.", scope: "the files below packages/a" };
  window.applied.set("packages/a/x.ts", [file]);
  const { chat, requests, ask } = await openPrompted(t, window);
  const view = await ask(chat, "Hello", { mode: "agent" });
  const name = "packages/a/x.ts";
  const call = { id: "c", name: "get_weather", title: "", says: "", state: "done", result: "ok" } as const;
  // The calls are those of an answer in the log.
  const prompt = new ChatPrompt({ chat: { state: view.state, set() {} }, source: window });
  const answer = {
    ...view.answer,
    text: "",
    calls: [{ ...call, arguments: JSON.stringify({ path: name }) }],
  };
  const next = { ...view.answer, id: "next", text: "" };
  const note = await prompt.noteFor(next, [answer]);
  assert.equal(
    note,
    "Instructions of the project in packages/a/AGENTS.md, for the files below packages/a:\nOnly a.",
  );
  assert.equal(await prompt.noteFor(next, [{ ...answer, editorNote: note ?? "" }, answer]), undefined);
  for (const path of [`./${name}`, `/home/ada/shop/${name}`]) {
    const named = { ...answer, calls: [{ ...call, arguments: JSON.stringify({ file_path: path }) }] };
    assert.equal(await prompt.noteFor(next, [named]), note);
  }
  const patch = `*** Begin Patch\n*** Update File: ${name}\n@@\n*** End Patch`;
  const patched = { ...answer, calls: [{ ...call, arguments: JSON.stringify({ patch }) }] };
  assert.equal(await prompt.noteFor(next, [patched]), note);
  const refused = {
    ...answer,
    calls: [{ ...call, state: "refused" as const, arguments: `{"path":"${name}"}` }],
  };
  assert.equal(await prompt.noteFor(next, [refused]), undefined);
  assert.equal(requests.length, 1);
});

test("a mode of the workspace sends its instructions, takes tools away, and only suggests its model", async (t) => {
  const window = openWindow({ modes: [reviewer] });
  const { chat, requests, ask } = await openPrompted(t, window, [weather(), editTool]);
  const view = await ask(chat, "Hello", { mode: "agent", customMode: reviewer.id });
  const [request] = requests;
  assert.match(systemOf(request), /mode Reviewer, in \S+review\.agent\.md:\nFind faults\.$/);
  assert.deepEqual(
    request?.tools?.map((one) => one.function.name),
    ["get_weather"],
  );
  assert.doesNotMatch(
    systemOf(request),
    /update_plan|edits|tests|commit/,
    "it names no tool that it has not",
  );
  assert.equal(request?.model, view.state.modelId);
  assert.match(
    view.state.notice?.text ?? "",
    /Reviewer suggests the model An Expensive Model\. The model stays/,
  );
  assert.deepEqual(view.state.guidanceFiles, [{ path: reviewer.id, kind: "mode" }]);
});

test("a mode whose file is gone sends nothing and says why, and its calls get no tool back", async (t) => {
  const window = openWindow();
  const { chat, requests, ask } = await openPrompted(t, window, [weather(), editTool]);
  const view = await ask(chat, "Hello", { mode: "agent", customMode: reviewer.id });
  assert.equal(requests.length, 0);
  assert.match(
    view.state.problem?.explanation.sentence ?? "",
    /^Nothing was sent, because the mode of .* is not there any more/,
  );
  assert.equal(view.state.draft.text, "Hello");
  // In the other modes it has no meaning.
  await ask(chat, "Hello", { mode: "plan", customMode: reviewer.id });
  assert.equal(requests.length, 1);
});

test("the gauge counts the system prompt and the tools that the first request will have, which tells the window as it is then", async (t) => {
  const window = openWindow({ files: [{ path: "AGENTS.md", text: "Use tabs. ".repeat(100) }] });
  const { chat, requests, ask } = await openPrompted(t, window, [editTool]);
  const view = await openView(chat.controller);
  await view.until(({ models }) => models.status === "ready");
  const settings = { mode: "agent", system: "Be brief." } as const;
  await view.say("setSettings", { settings });
  const { context, environment } = await view.until((state) => (state.context?.toolTokens ?? 0) > 0);
  assert.deepEqual(environment, {});
  // As long as the other one.
  window.now = { ...window.now, date: "2026-11-27" };
  await ask(chat, "Mend it", settings);
  const system = systemOf(requests[0]);
  assert.match(system, /2026-11-27/);
  assert.equal(context?.systemTokens, estimateTokens(system));
  assert.equal(context?.toolTokens, estimateTokens(JSON.stringify(requests[0]?.tools)));
});

test("a mode that leaves a tool leaves the one that reads on in its results, and none alone", () => {
  const reads = { ...tool("read_result"), kind: "read", origin: "built-in" } as const;
  const all = [{ ...tool("run_command"), kind: "command", origin: "built-in" } as const, reads];
  const namesOf = (tools: readonly string[]) => {
    const settings = { mode: "agent", customMode: reviewer.id } as const;
    return toolsOfMode(narrowedTools(all, settings, [{ ...reviewer, tools }]), "agent", []).map(
      ({ name }) => name,
    );
  };
  assert.deepEqual(namesOf(["terminal"]), ["run_command", "read_result"]);
  assert.deepEqual(namesOf([]), []);
});

test("no file of a mode adds a tool, whatever it names", () => {
  const all = toolKinds.flatMap((kind) =>
    (["built-in", "workspace", "server", "editor"] as const).map((origin) => ({
      ...tool(`${kind}_${origin}`),
      kind,
      origin,
    })),
  );
  const name = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom("read", "Edit", "bash", "*", "execute/runInTerminal", "web", "read_workspace", "todo"),
  );
  fc.assert(
    fc.property(fc.option(fc.array(name)), fc.subarray(all), (tools, offered) => {
      const mode = { ...reviewer, tools };
      const settings = { mode: "agent", customMode: mode.id } as const;
      const left = narrowedTools(offered, settings, [mode]);
      assert.ok(left.every((one) => offered.includes(one)));
      if (tools === null) assert.deepEqual(left, offered);
      // A tool of the workspace is left only by its own name.
      if (tools && !tools.includes("*"))
        for (const one of left)
          assert.ok(one.origin === "built-in" || tools.some((named) => named.toLowerCase() === one.name));
      assert.deepEqual(narrowedTools(offered, settings, []), []);
      assert.deepEqual(narrowedTools(offered, { mode: "ask", customMode: mode.id }, []), offered);
    }),
    { numRuns: randomCases(300) },
  );
});
