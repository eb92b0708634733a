// Tools of Anthropic's that the client runs: a type in the request, a function with its documented input to other models.
import assert from "node:assert/strict";
import { test } from "node:test";
import { membersOf } from "../../../../../src/shared/members.ts";
import { deltas, finish, question, read, refusals, written } from "./scriptedChat.ts";

const cached = { cache_control: { type: "ephemeral" } };

test("bash, the text editor and the memory become functions with their documented inputs", () => {
  const offered: readonly [string, string, readonly string[]][] = [
    ["bash_20250124", "bash", ["command", "restart"]],
    ["bash_20241022", "bash", ["command", "restart"]],
    [
      "text_editor_20241022",
      "str_replace_editor",
      ["command", "path", "view_range", "file_text", "old_str", "new_str", "insert_line"],
    ],
    [
      "text_editor_20250728",
      "str_replace_based_edit_tool",
      ["command", "path", "view_range", "file_text", "old_str", "new_str", "insert_line", "insert_text"],
    ],
    [
      "memory_20250818",
      "memory",
      [
        ...["command", "path", "view_range", "file_text", "old_str", "new_str"],
        ...["insert_line", "insert_text", "old_path", "new_path"],
      ],
    ],
  ];
  for (const [type, name, inputs] of offered) {
    const [tool] =
      read({ tools: [{ type, name, strict: true, defer_loading: true, ...cached }] }).tools ?? [];
    assert.equal(tool?.type, "function");
    assert.equal(tool.function.name, name);
    assert.ok(tool.function.description);
    assert.deepEqual(Object.keys(membersOf(tool.function.parameters?.properties)), inputs);
    assert.equal(tool.function.strict, undefined);
  }
});

test("the editor's limit of a view and examples are in its description, and undo only where it is known", () => {
  const editor = { type: "text_editor_20250728", name: "str_replace_based_edit_tool", max_characters: 900 };
  const input_examples = [{ command: "view", path: "/a" }];
  const [limited] = read({ tools: [{ ...editor, input_examples }] }).tools ?? [];
  assert.match(limited?.function.description ?? "", /at most 900 characters[\s\S]*"path":"\/a"/);
  const commands = (type: string) => {
    const [tool] = read({ tools: [{ type, name: "edit" }] }).tools ?? [];
    return membersOf(membersOf(tool?.function.parameters?.properties).command).enum;
  };
  assert.deepEqual(commands("text_editor_20250124"), [
    "view",
    "create",
    "str_replace",
    "insert",
    "undo_edit",
  ]);
  assert.deepEqual(commands("text_editor_20250429"), ["view", "create", "str_replace", "insert"]);
});

test("a call of such a tool goes to the client under its name, and comes back with its result", () => {
  const tools = [{ type: "bash_20250124", name: "bash" }];
  const call = { index: 0, id: "c1", function: { name: "bash", arguments: '{"command":"ls"}' } };
  const { events } = written([...deltas({ tool_calls: [call] }), finish("tool_calls")], {
    stream: true,
    tools,
  });
  const begun = events
    .map(({ content_block }) => membersOf(content_block))
    .find(({ type }) => type === "tool_use");
  assert.deepEqual([begun?.name, begun?.id], ["bash", "c1"]);
  const messages = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "bash", input: { command: "ls" } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "a.txt" }] },
  ];
  const back = read({ tools, tool_choice: { type: "tool", name: "bash" }, messages });
  assert.deepEqual(back.tool_choice, { type: "function", function: { name: "bash" } });
  assert.deepEqual(back.messages.slice(1), [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } }],
    },
    { role: "tool", tool_call_id: "c1", content: "a.txt" },
  ]);
});

test("a tool that can't be offered is refused by its name, with who runs it", () => {
  const refused = (type: string, others = {}) =>
    refusals(question({ tools: [{ type, name: "t", ...others }] })).join("\n");
  for (const type of ["computer_20250124", "browser_toolset_20260801", "bash_20991231", "memory_20991231"])
    assert.match(
      refused(type),
      new RegExp(`^tools\\.0\\.type: can't be "${type}": the client runs it, .*input_schema`),
    );
  for (const type of ["code_execution_20250825", "web_fetch_20250910", "advisor_20260301", "constructor"])
    assert.match(
      refused(type),
      new RegExp(`^tools\\.0\\.type: can't be "${type}", which only Anthropic runs`),
    );
  assert.match(refused("bash_20250124", { display_number: 1 }), /^tools\.0\.display_number: /);
  assert.match(refused("bash_20250124", { name: "" }), /^tools\.0\.name: must not be empty/);
});
