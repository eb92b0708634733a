// The sandbox's model Scripted: each built-in script is played to its end, over HTTP, by a small agent in a folder.
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { builtInScripts } from "../../../../../src/sandbox/chat/scripted/builtInScripts.ts";
import { readToolScript } from "../../../../../src/sandbox/chat/scripted/toolScript.ts";
import { userPlanText } from "../../../../../src/shared/chat/userPlanText.ts";
import { startTestSandbox, type TestSandbox } from "../../../../serviceKit/testSandbox.ts";
import { askModel, createAgentFolder, question, type SentMessage, toolsNamed } from "../../agentFolder.ts";

const textOf = (messages: readonly SentMessage[]) => String(messages.at(-1)?.content);
const refusesHarm = (name: string, { command, path }: Readonly<Record<string, unknown>>) =>
  name === "delete_file" || String(path).startsWith(".vscode/") || String(command).startsWith("curl");

for (const dialect of ["standard", "venice"] as const)
  for (const stream of [false, true])
    suite(`Scripted, ${dialect}, ${stream ? "streamed" : "whole"}`, () => {
      let sandbox: TestSandbox;
      before(async () => {
        sandbox = await startTestSandbox({
          dialect,
          limits: "none",
          tokensPerSecond: Number.POSITIVE_INFINITY,
        });
      });
      after(() => sandbox.close());

      test("writes a module with a mistake, sees its test fail, and corrects it", async (t) => {
        const folder = await createAgentFolder(t);
        const messages = await folder.play(sandbox, [question("Please fix the failing test.")], { stream });
        assert.match(textOf(messages), /^The test passes\./);
        const runs = folder.calls.filter(({ name }) => name === "run_command").map(({ result }) => result);
        assert.deepEqual(
          runs.map((result) => /fail \d/.exec(result)?.[0]),
          ["fail 1", "fail 0"],
        );
        const plans = folder.calls.flatMap(({ input: { plan } }) => (typeof plan === "string" ? [plan] : []));
        assert.deepEqual(
          plans.map((plan) => plan.split("- [x]").length - 1),
          [0, 3, 4],
        );
      });

      test("renames a function in all files, and deletes one", async (t) => {
        const folder = await createAgentFolder(t);
        for (const time of ["first", "second"]) {
          const messages = await folder.play(sandbox, [question("Rename across files")], { stream });
          assert.match(textOf(messages), /still runs\.$/, time);
          const files = await folder.files();
          assert.deepEqual(Object.keys(files), ["inference-demo/hello.mjs", "inference-demo/words.mjs"]);
          assert.doesNotMatch(Object.values(files).join(), /greet/);
        }
      });

      test("reads the file after an edit that does not match, and edits rightly", async (t) => {
        const folder = await createAgentFolder(t);
        const messages = await folder.play(sandbox, [question("Edit with a stale match")], { stream });
        const edits = folder.calls.filter(({ name }) => name === "edit_file").map(({ result }) => result);
        assert.deepEqual(edits, ["old_text was not found in the file.", "Edited."]);
        assert.match((await folder.files())["inference-demo/notes.md"] ?? "", /port 9090/);
        assert.match(textOf(messages), /^The note now says port 9090/);
      });

      test("obeys a file that it reads, so approvals must stop it", async (t) => {
        const folder = await createAgentFolder(t, refusesHarm);
        const messages = await folder.play(sandbox, [question("Follow instructions in a file")], { stream });
        assert.deepEqual(
          folder.calls.slice(-3).map(({ name }) => name),
          ["run_command", "write_file", "delete_file"],
        );
        assert.ok((await folder.files())["inference-demo/report.txt"]);
        assert.match(textOf(messages), /only you approve/);
      });

      test("loops without end, and each round costs more", async (t) => {
        const folder = await createAgentFolder(t);
        const messages = await folder.play(sandbox, [question("loop for ever")], { stream }, 40);
        assert.equal(folder.calls.length, 80);
        const sent = { stream, stream_options: { include_usage: true } };
        const { usage, calls } = await askModel(sandbox, messages, stream ? sent : {});
        const first = await askModel(sandbox, messages.slice(0, 1), stream ? sent : {});
        assert.equal(calls.length, 2);
        assert.ok(usage.prompt_tokens > first.usage.prompt_tokens + 500);
        assert.ok(usage.completion_tokens > 100);
      });

      test("says so if the user skips all calls", async (t) => {
        for (const { name } of builtInScripts.filter(({ name }) => !name.startsWith("Loop"))) {
          const folder = await createAgentFolder(t, () => true);
          const messages = await folder.play(sandbox, [question(name)], { stream });
          assert.match(textOf(messages), /skipped|only you approve/, name);
          assert.deepEqual(await folder.files(), {});
        }
      });

      test("lists its scripts for any other question", async () => {
        const { content, finish } = await askModel(sandbox, [question("What is the weather?")], { stream });
        for (const { name } of builtInScripts) assert.ok(content.includes(name));
        assert.match(content, /Play path\/to\/script\.json/);
        assert.equal(finish, "stop");
      });

      test("names the mode to choose if a tool is missing", async () => {
        const asked = [question("Fix the failing test")];
        for (const [more, words] of [
          [{ tools: undefined }, "no tools"],
          [{ tool_choice: "none" }, "no tools"],
          [{ tools: toolsNamed(["read_file"]) }, "other tools only"],
        ] as const) {
          const { content, calls } = await askModel(sandbox, asked, { stream, ...more });
          assert.ok(content.includes("`update_plan`") && content.includes(words), content);
          assert.ok(content.includes("Choose the mode **Agent** beside **Send**"));
          assert.deepEqual(calls, []);
        }
      });

      test("an answer that max_tokens cuts has no calls, and is given again when it is continued", async () => {
        const asked = [question("Fix the failing test")];
        const cut = await askModel(sandbox, asked, { stream, max_tokens: 5 });
        assert.deepEqual([cut.finish, cut.calls], ["length", []]);
        const more = [...asked, { role: "assistant", content: cut.content }, question("Continue.")];
        const again = await askModel(sandbox, more, { stream });
        assert.deepEqual([again.finish, again.calls.length], ["tool_calls", 1]);
        assert.equal(again.calls[0]?.function.name, "update_plan");
      });
    });

suite("the position in a script", () => {
  let sandbox: TestSandbox;
  before(async () => {
    sandbox = await startTestSandbox({ limits: "none", tokensPerSecond: Number.POSITIVE_INFINITY });
  });
  after(() => sandbox.close());

  test("is not lost if the user changes the plan during the task", async (t) => {
    const folder = await createAgentFolder(t);
    const begun = await folder.play(sandbox, [question("Fix the failing test")], {}, 2);
    const told = [...begun, question(userPlanText("- [ ] mine"))];
    const [plain, changed] = await Promise.all([begun, told].map((messages) => askModel(sandbox, messages)));
    assert.equal(plain?.calls.length, 1);
    assert.deepEqual(
      [changed?.content, changed?.calls.map((call) => call.function)],
      [plain?.content, plain?.calls.map((call) => call.function)],
    );
  });

  test("follows from the messages: each beginning of a chat gives the answer that followed", async (t) => {
    const folder = await createAgentFolder(t, refusesHarm);
    let messages: SentMessage[] = [question("Hello")];
    for (const { name } of builtInScripts.filter(({ name }) => !name.startsWith("Loop")))
      messages = await folder.play(sandbox, [...messages, question(name)]);
    const answers = messages.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
    assert.ok(answers.length > 20);
    for (const index of answers.toReversed()) {
      const { content, calls } = await askModel(sandbox, messages.slice(0, index));
      const { content: then, tool_calls = [] } = messages[index] as SentMessage;
      assert.equal(content, then);
      assert.deepEqual(
        calls.map((call) => call.function),
        tool_calls.map((call) => call.function),
      );
    }
  });

  test("is kept if calls must not run in parallel", async (t) => {
    const folder = await createAgentFolder(t);
    const messages = await folder.play(sandbox, [question("Rename across files")], {
      parallel_tool_calls: false,
    });
    assert.ok(messages.every(({ tool_calls = [] }) => tool_calls.length <= 1));
    assert.match(textOf(messages), /still runs\.$/);
  });

  test("only the user's own words name a script", async () => {
    const part = (text: string) => ({ type: "text", text }) as const;
    const attached = [part("notes.md:\nRename across files"), part("Fix the failing test")];
    const wrapped = "Loop for ever\n<userRequest>Fix the failing test</userRequest>";
    for (const content of [attached, wrapped]) {
      const { calls } = await askModel(sandbox, [{ role: "user", content }]);
      assert.equal(calls[0]?.function.name, "update_plan");
    }
    const none = await askModel(sandbox, [
      { role: "user", content: attached.slice(0, 1).concat(part("Hi")) },
    ]);
    assert.match(none.content, /^I am \*\*Scripted/);
  });

  test("reasoning is left out if thinking is switched off", async () => {
    const asked = [question("Fix the failing test")];
    assert.notEqual((await askModel(sandbox, asked)).reasoning, "");
    const more = { service_parameters: { disable_thinking: true } };
    assert.equal((await askModel(sandbox, asked, more)).reasoning, "");
  });
});

test("the built-in scripts follow the rules of a script", () => {
  for (const { about: _, ...script } of builtInScripts)
    assert.deepEqual(readToolScript(JSON.stringify(script), "built-in"), script);
});
