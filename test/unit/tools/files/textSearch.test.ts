// The tools `search_workspace` and `list_files` over real files, the editor's ripgrep and its unsaved text.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rgPath } from "@vscode/ripgrep";
import * as fc from "fast-check";
import { createReadTools } from "../../../../src/chat/host/tools/files/readTools.ts";
import { createSearchTool } from "../../../../src/chat/host/tools/search/searchTool.ts";
import { callTool } from "../../../../src/chat/host/tools/toolBox.ts";
import type { WorkspaceFiles } from "../../../../src/tools/files/workspaceFiles.ts";
import type { ToolInput } from "../../../../src/tools/serviceTool.ts";
import { randomCases } from "../../../runner/cases.ts";
import { editor, loadWithEditor } from "../../changes/editorModel.ts";
import { put, uriOf } from "../../changes/seenFiles.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

const { editorFiles } = await loadWithEditor<{ readonly editorFiles: WorkspaceFiles }>(
  "src/tools/files/editorFiles.ts",
);
const tools = [
  ...createReadTools(
    editorFiles,
    () => {},
    () => assert.fail(),
  ),
  createSearchTool(editorFiles),
];

async function call(name: string, input: ToolInput): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  assert.ok(tool);
  const context = {
    source: { kind: "chat" },
    changed() {},
    planned() {},
    written() {},
    began() {},
    results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
  } as const;
  return (await callTool(tool, input, new AbortController().signal, context)).text;
}
const search = (query: string, input: ToolInput = {}) => call("search_workspace", { query, ...input });

function openFolder(files: Readonly<Record<string, string | Uint8Array>>): void {
  editor.start(temporaryFolder());
  for (const [name, content] of Object.entries(files)) put(name, content);
}

test("lines keep their indentation, and their case does not count unless asked", async () => {
  openFolder({ "a.py": "def run():\n    Return_Value = 1\n\treturn return_value\n" });
  assert.equal(await search("return_value"), "a.py:2:     Return_Value = 1\na.py:3: \treturn return_value");
  assert.equal(await search("Return_Value", { case_sensitive: true }), "a.py:2:     Return_Value = 1");
});

test("what .gitignore, files.exclude and search.exclude leave out fills no list, and is found where it is named", async () => {
  const noise = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [`dist/${index}.js`, "greet()\ngreet()\n"]),
  );
  openFolder({
    ".gitignore": "dist/\n.venv\n",
    ".git/HEAD": "greet",
    "node_modules/x/index.js": "greet()",
    "out/a.js": "greet()",
    "src/a.js": "greet()",
    "src/a.ts": "greet()",
    ".venv/lib/site.py": "greet()",
    "index.js": "greet();\n",
    ...noise,
  });
  editor.settings["files.exclude"] = { "**/.git": true, "**/*.js": { when: "$(basename).ts" } };
  editor.settings["search.exclude"] = { "**/node_modules": true, out: true };
  assert.equal(await search("greet"), "index.js:1: greet();\nsrc/a.ts:1: greet()");
  assert.equal(
    await call("list_files", { path: "" }),
    ".gitignore\nindex.js\nsrc/\n(4 entries that .gitignore or the settings exclude were left out)",
  );
  assert.equal(await call("list_files", { path: ".venv/lib" }), "site.py");
  assert.equal(await search("greet", { path: ".venv" }), ".venv/lib/site.py:1: greet()");
  assert.equal(
    await search("greet", { path: "node_modules/x/index.js" }),
    "node_modules/x/index.js:1: greet()",
  );
  assert.match(await search("greet", { path: ".git" }), /^\.git was not searched/);
  editor.settings["search.useIgnoreFiles"] = false;
  assert.match(await search("greet", { include: "*.py" }), /^\.venv\/lib\/site\.py:1/);
});

test("unsaved text is searched in place of the file's, also of a file that is gone", async () => {
  openFolder({
    ".gitignore": "*.log\n",
    "a.txt": "const limit = 10;\n",
    "gone.txt": "saved\n",
    "b.log": "x\n",
  });
  symlinkSync("a.txt", uriOf("link.txt").path);
  editor.open(uriOf("a.txt")).type(0, 0, "typed words\n");
  editor.open(uriOf("gone.txt")).type(0, 0, "typed words, too\n");
  editor.open(uriOf("b.log")).type(0, 0, "typed words\n");
  rmSync(uriOf("gone.txt").path);
  assert.equal(await search("typed words"), "a.txt:1: typed words\ngone.txt:1: typed words, too");
  assert.equal(await search("limit"), "a.txt:2: const limit = 10;");
  assert.equal(await search("typed", { include: "g*.txt" }), "gone.txt:1: typed words, too");
});

test("unsaved text of a file that is open by a link replaces the text of its file", async () => {
  openFolder({ "src/a.txt": "old words\n" });
  symlinkSync("src/a.txt", uriOf("link.txt").path);
  editor.open(uriOf("link.txt")).type(0, 0, "new ");
  assert.equal(await search("words"), "src/a.txt:1: new old words");
});

test("files of secrets and links stay unread", async () => {
  const outside = temporaryFolder();
  writeFileSync(join(outside, "b.txt"), "canary");
  openFolder({ ".env": "KEY=canary", id_rsa: "canary", "sub/.ssh/config": "canary", "a.txt": "no" });
  symlinkSync(outside, uriOf("out").path);
  symlinkSync(join(outside, "b.txt"), uriOf("b.txt").path);
  editor.open(uriOf(".env")).type(0, 0, "# canary\n");
  assert.equal(await search("canary"), "Nothing contains “canary”.");
  for (const path of ["out", "b.txt"])
    assert.match(await search("canary", { path }), /a link that leads out/);
  assert.match(await search("canary", { path: "../x" }), /not a path relative to the workspace/);
  for (const path of [".env", "sub/.ssh"])
    assert.equal((await search("canary", { path })).includes("KEY"), false);
});

test("a regular expression is found as one, also if nobody said that it is one", async () => {
  openFolder({ "a.js": "function helloParse() {\n  return (1);\n}\n", "b.md": "a+b (x)\n" });
  const found = "a.js:1: function helloParse() {";
  assert.equal(await search("function (\\w+)Parse", { regex: true }), found);
  assert.equal(
    await search("function (\\w+)Parse"),
    `Nothing contains “function (\\w+)Parse” as a text. As a regular expression it matches:\n${found}`,
  );
  assert.equal(await search("a+b (x)"), "b.md:1: a+b (x)");
  assert.equal(
    await search("zz(\\w+"),
    "Nothing contains “zz(\\w+” as a text, and it is not a regular expression.",
  );
  assert.match(await search("zz.*"), /as a text, and as a regular expression it matches no line\.$/);
  assert.match(
    await search("(", { regex: true }),
    /“\(” is not a regular expression: unclosed group\. Put a \\/,
  );
  assert.equal(
    await search("Parse\\(\\) \\{\\n\\s+return", { regex: true }),
    `${found}\na.js:2:   return (1);`,
  );
  assert.equal(await search("helloParse() {\n  return"), `${found}\na.js:2:   return (1);`);
});

test("an include pattern and a folder restrict a search, and a refusal says what is wrong", async () => {
  openFolder({ "src/a.ts": "x", "src/b.py": "x", "lib/a.ts": "x", "lib/deep/c.ts": "x" });
  assert.equal(await search("x", { include: "*.ts", path: "lib" }), "lib/a.ts:1: x\nlib/deep/c.ts:1: x");
  assert.equal(await search("x", { include: "src/**/*.{ts,py}" }), "src/a.ts:1: x\nsrc/b.py:1: x");
  assert.equal(await search("x", { include: "lib/deep" }), "lib/deep/c.ts:1: x");
  assert.equal(
    await search("y", { include: "*.ts", path: "lib" }),
    "Nothing contains “y” in lib in the files *.ts.",
  );
  assert.match(await search("x", { include: "[" }), /^\[ is not a valid pattern of files/);
  assert.match(await search("x", { path: "nowhere" }), /^There is no folder or file nowhere\.$/);
});

test("files in another encoding are found by their text, and binary files are not", async () => {
  openFolder({
    "a.txt": Buffer.from("caf\xe9\n", "latin1"),
    "b.bin": "caf\0é",
    "c.txt": Buffer.from("\ufeffcafé", "utf16le"),
  });
  assert.equal(await search("café"), "c.txt:1: café");
  editor.encoding = "windows1252";
  assert.equal(await search("café"), "a.txt:1: café\nc.txt:1: café");
});

test("no folder fills the list, and the result says how many lines it left out, and where", async () => {
  const many = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => [`${folder}/${index}.js`, "x\nx\nx\n"] as const);
  openFolder(Object.fromEntries([...many("aaa", 60), ...many("lib", 2), ["z.js", "x\n".repeat(5)]]));
  const lines = (await search("x")).split("\n");
  const shown = (start: string) =>
    lines.filter((line) => line.startsWith(start) && line.endsWith(": x")).length;
  assert.deepEqual([shown("aaa/"), shown("lib/"), shown("z.js")], [89, 6, 5]);
  assert.equal(lines.at(-1), "(91 more lines match and were left out: 91 in aaa/)");
});

test("a long line is cut around its match", async () => {
  openFolder({ "a.min.js": `${"a".repeat(5_000)}needle${"b".repeat(5_000)}` });
  const line = await search("needle");
  assert.match(line, /^a\.min\.js:1: …a+needleb+…$/);
  assert.ok(line.length < 450);
});

test("@ in the prompt offers the files that the search finds", async () => {
  openFolder({ ".gitignore": "dist/\n", "dist/schema.js": "", "src/schema.ts": "", "out/schema.js": "" });
  editor.settings["files.exclude"] = { "**/out": true };
  const { createMentionSearch } = await loadWithEditor<
    typeof import("../../../../src/chat/host/attachments/sources/mentionSearch.ts")
  >("src/chat/host/attachments/sources/mentionSearch.ts");
  const found = await createMentionSearch()("sch", new AbortController().signal);
  assert.deepEqual(
    found.map(({ name, detail }) => `${detail}/${name}`),
    ["src/schema.ts"],
  );
});

test("a glob lists the files below a folder that match, a depth several levels, both without what is ignored", async () => {
  openFolder({
    ".gitignore": "dist/\n",
    "dist/a.ts": "",
    "src/a.ts": "",
    "src/deep/er/b.ts": "",
    "src/deep/c.md": "",
    "test/a.test.ts": "",
  });
  const list = (input: ToolInput) => call("list_files", { path: "", ...input });
  assert.equal(await list({ glob: "*.ts" }), "src/a.ts\nsrc/deep/er/b.ts\ntest/a.test.ts");
  assert.equal(await list({ path: "src", glob: "**/*.ts" }), "src/a.ts\nsrc/deep/er/b.ts");
  assert.equal(await list({ path: "src", glob: "src/deep/**" }), "src/deep/c.md\nsrc/deep/er/b.ts");
  assert.equal(await list({ path: "src/", glob: "*.ts", depth: 1 }), "src/a.ts");
  assert.equal(await list({ glob: "*.py" }), "No file matches *.py.");
  assert.equal(await list({ depth: 2 }), ".gitignore\nsrc/\nsrc/a.ts\nsrc/deep/\ntest/\ntest/a.test.ts");
  assert.equal(await list({ path: "src", depth: 2 }), "src/a.ts\nsrc/deep/\nsrc/deep/c.md\nsrc/deep/er/");
  assert.match(await list({ path: "src/a.ts", depth: 2 }), /src\/a\.ts is a file, not a folder\./);
  assert.match(await list({ glob: "{a" }), /is not a valid pattern of files/);
  openFolder(Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`many/${index}.js`, ""])));
  const many = (await list({ glob: "*.js" })).split("\n");
  assert.equal(many.length, 1_001);
  assert.equal(many.at(-1), "(left out, because there are too many: 200 of 1200; name a folder or a glob)");
  const folder = (await list({ path: "many" })).split("\n");
  assert.equal(folder.length, 1_001);
});

test("sources come before tests, texts and generated files, and none hides the others", async () => {
  openFolder({
    "CHANGELOG.md": "greet\n",
    "dist/a.js": "greet\n".repeat(500),
    "lib/greet.min.js": "greet\n",
    "src/z.ts": "greet\n",
    "src/greet.test.ts": "greet\n",
    "package-lock.json": "greet\n".repeat(60),
    "src/many.ts": "greet\n".repeat(1_000),
  });
  const lines = (await search("greet")).split("\n");
  const files = [...new Set(lines.filter((line) => /:\d+: /.test(line)).map((line) => line.split(":")[0]))];
  assert.deepEqual(files.slice(0, 4), ["src/many.ts", "src/z.ts", "src/greet.test.ts", "CHANGELOG.md"]);
  assert.ok(
    files.includes("dist/a.js") && files.includes("lib/greet.min.js") && files.includes("package-lock.json"),
  );
  assert.ok(
    lines.some((line) => /^src\/many\.ts: \(\d+ more, or above\)$/.test(line)),
    lines.join("\n"),
  );
  assert.equal(
    await search("greet", { output_mode: "files_with_matches" }),
    "src/many.ts\nsrc/z.ts\nsrc/greet.test.ts\nCHANGELOG.md\ndist/a.js\nlib/greet.min.js\npackage-lock.json",
  );
  assert.match(
    await search("greet", { output_mode: "count" }),
    /^src\/many\.ts: 100 or more\nsrc\/z\.ts: 1\n[\s\S]*\n264 or more lines in 7 files$/,
  );
});

test("lines around the hits are those of ripgrep, also of unsaved text", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("hit", "  indented", "\tmiss", "", "a hit again"), {
        minLength: 1,
        maxLength: 60,
      }),
      fc.integer({ min: 1, max: 4 }),
      async (lines, context) => {
        openFolder({ "a.txt": `${lines.join("\n")}\n` });
        const expected = spawnSync(rgPath, ["-n", "-H", `-C${context}`, "hit", "a.txt"], {
          cwd: editor.root,
          encoding: "utf8",
        }).stdout;
        const found = await search("hit", { context });
        if (expected === "") return assert.match(found, /^Nothing contains/);
        assert.equal(
          found,
          expected
            .trimEnd()
            .replace(/^(a\.txt[:-]\d+[:-])/gm, "$1 ")
            .replace(/\n+$/, ""),
        );
      },
    ),
    { numRuns: randomCases(40) },
  );
});
