// What trained models send for the tools of an agent, by the product that they know, and what each tool then reads.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import type { PathRoots } from "../../../../../../src/tools/input/workspacePath.ts";
import type { ToolInput } from "../../../../../../src/tools/serviceTool.ts";
import { randomCases } from "../../../../../runner/cases.ts";
import "../../../../vscodeDouble.ts";

const { createCommandTools } = await import("../../../../../../src/chat/host/tools/commands/commandTools.ts");
const { createEditTools } = await import("../../../../../../src/chat/host/tools/files/editTools.ts");
const { createReadTools } = await import("../../../../../../src/chat/host/tools/files/readTools.ts");
const { acceptanceOf, readCall } = await import("../../../../../../src/chat/host/tools/input/readCall.ts");
const { noProblems } = await import("../files/noProblems.ts");
const { createPlanTool } = await import("../../../../../../src/chat/host/tools/planTool.ts");
const { toCard } = await import("../../../../../../src/chat/host/tools/rounds/toolCards.ts");
const { createSearchTool } = await import("../../../../../../src/chat/host/tools/search/searchTool.ts");

const unused = (): never => assert.fail("no tool runs here");
const roots: PathRoots = { folders: [{ name: "app", paths: ["/ws"] }], isWindows: false };
const files = {
  read: () => assert.fail(),
  listBelow: () => assert.fail(),
  look: () => assert.fail(),
  readText: unused,
  list: unused,
  search: unused,
};
const runs = new Proxy({} as Parameters<typeof createCommandTools>[0], {
  get: (_, name) => (name === "sandbox" ? undefined : unused()),
});
const tools: readonly ChatTool[] = [
  ...createReadTools(
    files,
    () => {},
    () => assert.fail(),
  ),
  createSearchTool(files),
  ...createEditTools(unused, unused, unused, noProblems),
  createPlanTool(),
  ...createCommandTools(runs),
].map((tool) => ({ ...tool, accept: acceptanceOf(tool, () => roots) }));
const names = tools.map(({ name }) => name);

function read(name: string, input: object | string) {
  return readCall(tools, { name, arguments: typeof input === "string" ? input : JSON.stringify(input) });
}

function accepted(name: string, input: object): readonly [string, ToolInput] {
  const found = read(name, input);
  if (!found || !("input" in found))
    assert.fail(`${name} ${JSON.stringify(input)}: ${JSON.stringify(found)}`);
  return [found.tool.name, found.input];
}

function problem(name: string, input: object | string): string {
  const found = read(name, input);
  return found && "problem" in found ? found.problem : assert.fail(JSON.stringify(found));
}

const edit = { path: "src/a.ts", edits: [{ old_text: "a", new_text: "b" }] };
const editAll = { path: "src/a.ts", edits: [{ old_text: "a", new_text: "b", all: true }] };
const write = { path: "src/a.ts", text: "x\n" };
const test1 = { command: "npm test" };
const search = { query: "a.*b", regex: true };

/** Product, name, arguments, our tool and its input. */
const styles: readonly (readonly [string, string, object, string, object])[] = [
  ["Claude Code", "Read", { file_path: "/ws/src/a.ts" }, "read_file", { path: "src/a.ts" }],
  ["Claude Code", "Write", { file_path: "/ws/src/a.ts", content: "x\n" }, "write_file", write],
  ["Claude Code", "Edit", { file_path: "/ws/src/a.ts", old_string: "a", new_string: "b" }, "edit_file", edit],
  [
    "Claude Code",
    "Edit",
    { replace_all: true, file_path: "/ws/src/a.ts", old_string: "a", new_string: "b" },
    "edit_file",
    editAll,
  ],
  [
    "Claude Code",
    "MultiEdit",
    { file_path: "/ws/src/a.ts", edits: [{ old_string: "a", new_string: "b" }] },
    "edit_file",
    edit,
  ],
  [
    "Claude Code",
    "Bash",
    { command: "npm test", description: "Runs the tests", timeout: 120000 },
    "run_command",
    { ...test1, timeout_seconds: 120 },
  ],
  [
    "Claude Code",
    "Bash",
    { command: "npm start", run_in_background: true },
    "run_command",
    { command: "npm start", background: true },
  ],
  ["Claude Code", "BashOutput", { bash_id: "command-1" }, "read_command_output", { id: "command-1" }],
  ["Claude Code", "KillShell", { shell_id: "command-1" }, "stop_command", { id: "command-1" }],
  [
    "Claude Code",
    "Grep",
    { pattern: "a.*b", path: "/ws/src" },
    "search_workspace",
    { ...search, path: "src" },
  ],
  [
    "Claude Code",
    "Grep",
    { pattern: "a.*b", glob: "*.ts", "-i": true },
    "search_workspace",
    { ...search, include: "*.ts" },
  ],
  ["Claude Code", "LS", { path: "/ws" }, "list_files", { path: "" }],
  [
    "Claude Code",
    "TodoWrite",
    {
      todos: [
        { content: "One", status: "completed", activeForm: "Doing one" },
        { content: "Two", status: "pending", activeForm: "Doing two" },
      ],
    },
    "update_plan",
    { plan: "- [x] One\n- [ ] Two" },
  ],
  [
    "Anthropic's editor",
    "str_replace_based_edit_tool",
    { command: "str_replace", path: "/ws/src/a.ts", old_str: "a", new_str: "b" },
    "edit_file",
    edit,
  ],
  [
    "Anthropic's editor",
    "str_replace_editor",
    { command: "create", path: "/ws/src/a.ts", file_text: "x\n" },
    "write_file",
    write,
  ],
  [
    "Codex",
    "shell",
    { command: ["bash", "-lc", "npm test"], workdir: "/ws/sub" },
    "run_command",
    { ...test1, cwd: "sub" },
  ],
  [
    "Codex",
    "shell",
    { command: ["git", "log", "--format=%h $x"], timeout_ms: 9500 },
    "run_command",
    { command: "git log '--format=%h $x'", timeout_seconds: 10 },
  ],
  [
    "Codex",
    "exec_command",
    { cmd: "npm test", yield_time_ms: 1000, workdir: "/ws" },
    "run_command",
    { ...test1, cwd: "" },
  ],
  [
    "Codex",
    "update_plan",
    {
      explanation: "x",
      plan: [
        { step: "One", status: "completed" },
        { step: "Two", status: "in_progress" },
      ],
    },
    "update_plan",
    { plan: "- [x] One\n- [ ] Two" },
  ],
  ["Cline", "read_file", { path: "src/a.ts" }, "read_file", { path: "src/a.ts" }],
  ["Cline", "write_to_file", { path: "src/a.ts", content: "x\n" }, "write_file", write],
  [
    "Cline",
    "replace_in_file",
    { path: "src/a.ts", diff: "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n" },
    "edit_file",
    edit,
  ],
  [
    "Aider",
    "replace_in_file",
    { path: "src/a.ts", diff: "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE" },
    "edit_file",
    edit,
  ],
  ["Cline", "execute_command", { command: "npm test", requires_approval: false }, "run_command", test1],
  [
    "Cline",
    "search_files",
    { path: "src", regex: "a.*b", file_pattern: "*.ts" },
    "search_workspace",
    { ...search, path: "src", include: "*.ts" },
  ],
  ["Copilot", "read_file", { filePath: "/ws/src/a.ts" }, "read_file", { path: "src/a.ts" }],
  ["Copilot", "create_file", { filePath: "/ws/src/a.ts", content: "x\n" }, "write_file", write],
  [
    "Copilot",
    "replace_string_in_file",
    { filePath: "/ws/src/a.ts", oldString: "a", newString: "b", explanation: "why" },
    "edit_file",
    edit,
  ],
  [
    "Copilot",
    "run_in_terminal",
    { command: "npm test", explanation: "why", isBackground: false },
    "run_command",
    { ...test1, background: false },
  ],
  [
    "Copilot",
    "grep_search",
    { query: "a.*b", isRegexp: true, includePattern: "src/**" },
    "search_workspace",
    { ...search, include: "src/**" },
  ],
  ["Copilot", "list_dir", { path: "/ws/src" }, "list_files", { path: "src" }],
  [
    "Cursor",
    "read_file",
    { target_file: "./src/a.ts", should_read_entire_file: true },
    "read_file",
    { path: "src/a.ts" },
  ],
  [
    "Cursor",
    "run_terminal_cmd",
    { command: "npm test", is_background: "false" },
    "run_command",
    { ...test1, background: false },
  ],
  [
    "Cursor",
    "delete_file",
    { target_file: "src/a.ts", explanation: "why" },
    "delete_file",
    { path: "src/a.ts" },
  ],
  ["Gemini CLI", "read_file", { absolute_path: "/ws/src/a.ts" }, "read_file", { path: "src/a.ts" }],
  [
    "Gemini CLI",
    "replace",
    {
      file_path: "/ws/src/a.ts",
      old_string: "a",
      new_string: "b",
      expected_replacements: 1,
      instruction: "why",
    },
    "edit_file",
    edit,
  ],
  [
    "Gemini CLI",
    "run_shell_command",
    { command: "npm test", description: "d", directory: "sub" },
    "run_command",
    { ...test1, cwd: "sub" },
  ],
  [
    "Gemini CLI",
    "search_file_content",
    { pattern: "a.*b", include: "*.ts" },
    "search_workspace",
    { ...search, include: "*.ts" },
  ],
  [
    "Gemini CLI",
    "write_todos",
    { todos: [{ description: "One", status: "completed" }] },
    "update_plan",
    { plan: "- [x] One" },
  ],
  ["Qwen Code", "edit", { file_path: "/ws/src/a.ts", old_string: "a", new_string: "b" }, "edit_file", edit],
  ["Qwen Code", "list_directory", { path: "/ws/src/" }, "list_files", { path: "src" }],
  [
    "Qwen Code",
    "run_shell_command",
    { command: "npm test", is_background: false, timeout: 60 },
    "run_command",
    { ...test1, background: false, timeout_seconds: 60 },
  ],
  ["small", "functions.read_file", { file: "src/a.ts" }, "read_file", { path: "src/a.ts" }],
  ["small", "read-file", { Path: "src/a.ts", limit: null }, "read_file", { path: "src/a.ts" }],
  ["small", "edit_file", { path: "src/a.ts", edits: '[{"old_text":"a","new_text":"b"}]' }, "edit_file", edit],
  [
    "small",
    "edit_file",
    { path: "src/a.ts", edits: { old_text: "a", new_text: "b", all: "true" } },
    "edit_file",
    editAll,
  ],
  [
    "small",
    "run_command",
    { command: "npm test", timeout_seconds: "30", cwd: "" },
    "run_command",
    { ...test1, cwd: "", timeout_seconds: 30 },
  ],
  ["small", "read_file", { arguments: { path: "src/a.ts" } }, "read_file", { path: "src/a.ts" }],
  ["small", "read_file", { input: '{"path":"src/a.ts"}' }, "read_file", { path: "src/a.ts" }],
  ["small", "list_files", {}, "list_files", { path: "" }],
  [
    "small",
    "move_file",
    { source: "a.ts", destination: "/ws/b.ts" },
    "move_file",
    { from: "a.ts", to: "b.ts" },
  ],
  ["small", "search_workspace", { query: 404 }, "search_workspace", { query: "404" }],
];

test("each style of call is read as the tool's own input", () => {
  for (const [product, name, given, tool, input] of styles)
    assert.deepEqual(accepted(name, given), [tool, input], `${product}: ${name} ${JSON.stringify(given)}`);
});

test("the tool's own input is read unchanged", () => {
  for (const [, , , tool, input] of styles) assert.deepEqual(accepted(tool, input), [tool, input]);
});

test("the result says in which unit a timeout was read, and where it was limited", () => {
  const notesOf = (input: object) => {
    const found = read("run_command", { command: "x", ...input });
    return found && "notes" in found ? [found.notes.join(" "), found.input.timeout_seconds] : assert.fail();
  };
  assert.deepEqual(notesOf({ timeout: 5000 }), ["Its timeout 5000 was read as milliseconds: 5 s.", 5]);
  assert.deepEqual(notesOf({ timeout: 300 }), ["Its timeout 300 was read as seconds: 300 s.", 300]);
  assert.deepEqual(notesOf({ timeout: 1_800_000 }), [
    "Its timeout 1800000 was read as milliseconds: 1800 s, and limited to 600 s.",
    600,
  ]);
  assert.deepEqual(notesOf({ timeout: 900 }), [
    "Its timeout 900 was read as seconds: 900 s, and limited to 600 s.",
    600,
  ]);
  assert.deepEqual(notesOf({ timeout_ms: 500 }), ["Its timeout 500 was read as milliseconds: 1 s.", 1]);
  assert.deepEqual(notesOf({ timeout: null }), ["", undefined]);
  assert.deepEqual(notesOf({ timeout: 0 }), ["", undefined]);
  assert.match(
    problem("run_command", { command: "x", timeout: "soon" }),
    /timeout_seconds "soon" is no integer/,
  );
});

test("a refusal names all faults with their values, and what the tool takes", () => {
  const said = problem("run_command", { timeout_seconds: 1200, background: "perhaps", stdin: "y" });
  for (const fault of [
    "command is missing",
    "timeout_seconds 1200 is above 600",
    'background "perhaps" is no boolean',
    "stdin is not known",
    "It takes run_command(command: string, background?: boolean, cwd?: string, timeout_seconds?: integer, network?: boolean, repository?: boolean, outside_sandbox?: boolean).",
  ])
    assert.ok(said.includes(fault), `${fault}\n${said}`);
  assert.match(
    problem("edit_file", { path: "a", edits: [{ old_text: "" }] }),
    /edits\[0\]\.new_text is missing/,
  );
  assert.match(
    problem("edit_file", { path: "a", edits: [{ old_text: "" }] }),
    /edits\[0\]\.old_text is too short: it is empty/,
  );
  assert.match(problem("read_file", { path: "a", file_path: "b" }), /path is given twice/);
});

test("a member that may restrict what a call does is refused, and one that reads less is noted", () => {
  assert.match(problem("delete_file", { path: "a", dry_run: true }), /dry_run is not known/);
  assert.match(problem("write_file", { path: "a", content: "x", append: true }), /append is not known/);
  assert.deepEqual(accepted("write_file", { path: "a", content: "x", append: false }), [
    "write_file",
    { path: "a", text: "x" },
  ]);
  const noted = read("list_files", { path: "", recursive: true });
  assert.deepEqual(noted && "notes" in noted && noted.notes, [
    "recursive is not known to this tool, so it was ignored.",
  ]);
});

test("the card of a call shows what will run, and what the model says of a command", () => {
  const call = {
    id: "1",
    name: "Bash",
    arguments: '{"command":"npm test","description":"Runs\\nthe \\u202etests","workdir":"/ws/sub"}',
  };
  const card = toCard(call, tools, names);
  assert.equal(card.state, "asks");
  assert.equal(card.title, "Run a command");
  assert.equal(card.says, "Run in sub: npm test");
  assert.equal(card.runs, '{"command":"npm test","cwd":"sub"}');
  assert.equal(card.purpose, "Runs⟨U+000A⟩the ⟨U+202E⟩tests");
  assert.equal(card.arguments, call.arguments);
  assert.equal(card.scope, "npm test (in sub)");
  const own = toCard({ ...call, name: "run_command", arguments: '{ "command": "ls" }' }, tools, names);
  assert.equal(own.runs, undefined);
  assert.equal(
    toCard(call, tools, ["read_file"]).state,
    "failed",
    "another name needs the tool to be offered",
  );
});

test("a tool of the workspace keeps its name and its own arguments", () => {
  const mine: ChatTool = {
    kind: "command",
    name: "Bash",
    title: "Mine",
    description: "Mine.",
    parameters: {
      type: "object",
      properties: { file_path: { type: "string" } },
      additionalProperties: false,
    },
    origin: "workspace",
    fingerprint: async () => "mine",
    summary: () => "mine",
  };
  const found = readCall([...tools, mine], { name: "Bash", arguments: '{"file_path":"/ws/x"}' });
  assert.equal(found?.tool, mine);
  assert.deepEqual(found && "input" in found && found.input, { file_path: "/ws/x" });
  const other = readCall([...tools, mine], { name: "Bash", arguments: '{"path":"/ws/x","file_path":1}' });
  assert.match(
    (other && "problem" in other && other.problem) || "",
    /file_path 1 is no string\n- path is not known\nIt takes Bash\(file_path\?: string\)/,
  );
});

test("an unknown tool is told with the likeliest one and all that are offered", () => {
  const said = (name: string, offered = names) =>
    toCard({ id: "1", name, arguments: "{}" }, tools, offered).result ?? "";
  assert.match(
    said("read_fil"),
    /^There is no tool read_fil\. Do you mean read_file\? The tools are: read_file, /,
  );
  assert.match(said("search"), /Do you mean search_workspace\?/);
  assert.match(said("Task"), /^There is no tool Task\. The tools are: /);
  assert.match(said("constructor"), /^There is no tool constructor\./);
  assert.match(said("x", []), /No tool is offered here/);
});

test("whatever a model writes, reading it throws nothing, and what is accepted fits the tool", () => {
  const given = fc.constantFrom(
    ...styles.map(([, name, input]) => ({ name, input: input as Record<string, unknown> })),
  );
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom("../x", "/etc/passwd", "file:///etc/passwd", "/ws/../x", "..\\x", "__proto__", "", null),
  );
  const key = fc.constantFrom(
    "path",
    "file_path",
    "edits",
    "command",
    "cwd",
    "__proto__",
    "timeout",
    "query",
    "old_string",
    "constructor",
    "plan",
    "todos",
  );
  const change = fc.record({ key, value: odd, isRemoved: fc.boolean() });
  fc.assert(
    fc.property(given, fc.array(change, { maxLength: 4 }), ({ name, input }, changes) => {
      const mutated = new Map(Object.entries(input));
      for (const { key: member, value, isRemoved } of changes) {
        if (isRemoved) mutated.delete(member);
        else mutated.set(member, value);
      }
      const text = JSON.stringify(Object.fromEntries(mutated));
      const found = read(name, text);
      if (!found || "problem" in found) return;
      const again = read(found.tool.name, found.input);
      assert.deepEqual(again && "input" in again && again.input, found.input, "read twice it is the same");
      for (const member of ["path", "from", "to", "cwd"]) {
        const path = found.input[member];
        if (typeof path === "string" && /^\/|(^|\/)\.\.(\/|$)/.test(path))
          assert.ok(
            text.includes(JSON.stringify(path)),
            "a path outside is left as it was written, and refused later",
          );
      }
      toCard({ id: "1", name, arguments: text }, tools, names);
    }),
    { numRuns: randomCases(5_000) },
  );
});
