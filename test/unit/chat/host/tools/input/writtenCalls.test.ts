// What models write although no product told them to: from bug reports of Claude Code, Codex, Roo Code, OpenCode, Copilot and
// servers of local models.
import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptanceOf, readCall } from "../../../../../../src/chat/host/tools/input/readCall.ts";
import { builtIn, type ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { toolSchema } from "../../../../../../src/tools/serviceTool.ts";

const roots = { folders: [{ name: "shop", paths: ["/ws"] }], isWindows: false };
const text = { type: "string" } as const;
const count = { type: "integer" } as const;
const toolOf = (name: string, kind: ChatTool["kind"], parameters: ChatTool["parameters"]): ChatTool => {
  const tool: ChatTool = { ...builtIn(name, name, kind), description: "", parameters, summary: () => name };
  return { ...tool, accept: acceptanceOf(tool, () => roots) };
};
const edit = toolSchema({ old_text: text, new_text: text, all: { type: "boolean" } }, ["all"]);
const tools = [
  toolOf("read_file", "read", toolSchema({ path: text, offset: count, limit: count }, ["offset", "limit"])),
  toolOf("list_files", "read", toolSchema({ path: text, glob: text }, ["glob"])),
  toolOf(
    "search_workspace",
    "read",
    toolSchema({ query: text, regex: { type: "boolean" }, path: text }, ["regex", "path"]),
  ),
  toolOf("edit_file", "edit", toolSchema({ path: text, edits: { type: "array", items: edit } })),
  toolOf("apply_patch", "edit", toolSchema({ patch: text })),
];

/** The tool and its input, or why it can't run. */
function read(name: string, given: string | object) {
  const found = readCall(tools, {
    name,
    arguments: typeof given === "string" ? given : JSON.stringify(given),
  });
  if (!found) return undefined;
  return "problem" in found ? found.problem : [found.tool.name, found.input];
}

const lines = (offset: number, limit?: number) => [
  "read_file",
  { path: "src/a.ts", offset, ...(limit === undefined ? {} : { limit }) },
];

test("lines are read in each form in which they are certain: lists, texts, ends, and a place after the path", () => {
  const path = "src/a.ts";
  for (const given of [
    { path, offset: "10-20" },
    { path, view_range: [10, 20] },
    { path, view_range: "[10, 20]" },
    { path, range: "10-20" },
    { path, range: "L10-L20" },
    { path, lines: "10, 20" },
    { path, line_range: "10:20" },
    { path, line_ranges: ["10-20"] },
    { path, start_line: "10", end_line: 20 },
    { path: "src/a.ts:10-20" },
    { path: "src/a.ts#L10-L20" },
    { path: "/ws/src/a.ts#L10-20" },
  ])
    assert.deepEqual(read("read_file", given), lines(10, 11), JSON.stringify(given));
  for (const given of [
    { path, view_range: [10, -1] },
    { path, view_range: "[10, -1]" },
    { path: "src/a.ts:10" },
    { path: "src/a.ts:10:5" },
    { path: "src/a.ts#L10" },
    { path, offset: "10" },
  ])
    assert.deepEqual(read("read_file", given), lines(10), JSON.stringify(given));
  assert.deepEqual(read("read_file", { path, end_line: 5 }), lines(1, 5));
  assert.deepEqual(read("read_file", { path, offset: 10, limit: 11 }), lines(10, 11));
});

test("what is no range stays as it is: several, a number alone, a file whose name has a colon", () => {
  const path = "src/a.ts";
  for (const given of [{ line_ranges: ["1-5", "9-12"] }, { lines: 100 }, { range: "all" }])
    assert.deepEqual(read("read_file", { path, ...given }), ["read_file", { path }]);
  for (const name of ["notes:10", "a.ts:b", "src/10:20", "a.ts#L", "#L10"])
    assert.deepEqual(read("read_file", { path: name }), ["read_file", { path: name }]);
  assert.deepEqual(read("read_file", { path: "src/a.ts:10", offset: 3 }), [
    "read_file",
    { path: "src/a.ts:10", offset: 3 },
  ]);
});

test("quotes, marks of code and line breaks around a path are no part of it", () => {
  for (const path of ["`src/a.ts`", '"src/a.ts"', "'/ws/src/a.ts'", "src/a.ts\n", "\r\n`./src/a.ts` "])
    assert.deepEqual(read("read_file", { path }), ["read_file", { path: "src/a.ts" }], path);
  for (const path of ["it's.ts", "a `b` c.ts", "`a", '"a" and "b"'])
    assert.deepEqual(read("read_file", { path }), ["read_file", { path }], path);
});

test("a name keeps its tool with a name space, the number of the call, or marks of a template", () => {
  for (const name of [
    "functions.read_file:0",
    "functions.read_file",
    "read_file:12",
    "read_file<|channel|>commentary",
    "read_file<|constrain|>json",
  ])
    assert.deepEqual(read(name, { path: "a.ts" }), ["read_file", { path: "a.ts" }], name);
  for (const name of ["read_file:x", "<|channel|>read_file", ":0", "read_file2"])
    assert.equal(read(name, { path: "a.ts" }), undefined, name);
});

test("marks of a template after the arguments end them, other text does not", () => {
  for (const end of ["</tool_call>", "\n</function>\n</tool_call>\n", "<|im_end|>", " <|tool_call_end|> "])
    assert.deepEqual(read("read_file", `{"path":"a.ts"}${end}`), ["read_file", { path: "a.ts" }], end);
  for (const end of ["</tool_call> and then", " and then", "<tool_call>", "</a b>"])
    assert.match(String(read("read_file", `{"path":"a.ts"}${end}`)), /not JSON/, end);
  assert.deepEqual(read("read_file", '{"path":"</tool_call>}"}'), ["read_file", { path: "</tool_call>}" }]);
});

test("a folder that is “undefined” or null is the whole workspace", () => {
  for (const path of ["undefined", "null", null])
    for (const [name, given] of [
      ["Glob", { pattern: "*.ts", path }],
      ["list_files", { glob: "*.ts", path }],
    ] as const)
      assert.deepEqual(read(name, given), ["list_files", { path: "", glob: "*.ts" }]);
  assert.deepEqual(read("Grep", { pattern: "a", path: "undefined" }), [
    "search_workspace",
    { query: "a", regex: true },
  ]);
  assert.deepEqual(read("read_file", { path: "undefined" }), ["read_file", { path: "undefined" }]);
});

test("blocks of Roo Code are edits, without their line of the beginning; a diff by that name is none", () => {
  const block = (head: string) => `<<<<<<< SEARCH\n${head}old\n=======\nnew\n>>>>>>> REPLACE\n`;
  const edits = [{ old_text: "old", new_text: "new" }];
  for (const head of ["", ":start_line:12\n-------\n", ":start_line: 12\n:end_line: 14\n-------\n"])
    assert.deepEqual(read("apply_diff", { path: "a.ts", diff: block(head) }), [
      "edit_file",
      { path: "a.ts", edits },
    ]);
  const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new\n";
  assert.match(String(read("apply_diff", { path: "a.ts", diff })), /^apply_patch was not run/);
});
