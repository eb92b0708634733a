// Which files an agent may change, by their names and by what is beside them.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor, loadWithEditor } from "../../editorModel.ts";

const { changeableUri } = await loadWithEditor<{ changeableUri(path: string): Promise<unknown> }>(
  "src/changes/engine/files/changeablePlace.ts",
);

function openFolder(...files: readonly string[]): string {
  const root = join(temporaryFolder(), "work");
  mkdirSync(root);
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "x");
  }
  editor.start(root);
  return root;
}

const isRefused = (path: string) =>
  changeableUri(path).then(
    () => false,
    ({ message }: Error) => message.startsWith(path),
  );

const programs =
  ".git/hooks/x .vscode/tasks.json .husky/pre-commit .devcontainer/x .idea/x .claude/settings.json .cursor/mcp.json " +
  ".yarn/x .gemini/settings.json .codex/config.toml .roo/mcp.json .kiro/x .amazonq/x .zed/tasks.json .vs/x .fleet/run.json " +
  ".exrc .nvim.lua .githooks/pre-commit .pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml opencode.json " +
  ".cargo/config.toml mise.toml .mise.toml mise.local.toml .pnp.cjs .pnpmfile.cjs .bazelrc .mcp.json .envrc a.code-workspace " +
  ".yarnrc.yml .mocharc.json .prettierrc.js .eslintrc.js .gitmodules .gitconfig .tool-versions .unknown .new/deep/file.txt";

test("files that make programs run or steer other agents are refused, at any depth, by every tool that is not known", async () => {
  openFolder();
  for (const path of programs.split(" "))
    for (const one of [path, `a/${path}`, path.toUpperCase()]) assert.ok(await isRefused(one), one);
});

test("other spellings of these names are refused, too", async () => {
  openFolder();
  for (const path of [
    ".vſcode/tasks.json",
    ".hus\u212aY/pre-commit",
    "\u200c.git/hooks/x",
    ".g\u200dit/hooks/x",
    "\u2024git/x",
    "ｌefthook.yml",
    "Opencode.JSON",
  ])
    assert.ok(await isRefused(path), path);
});

test("ordinary files are changed, and harmless ones that begin with a dot", async () => {
  openFolder("a/config/x.ts", "a/refs/x.ts", "a/objects/x.ts");
  const files =
    ".github/workflows/test.yml .github/copilot-instructions.md .gitignore a/.gitattributes .gitkeep .editorconfig .npmignore " +
    ".dockerignore .prettierrc .prettierrc.json .prettierignore .eslintrc.json .eslintignore .markdownlint.json .nvmrc " +
    ".node-version .env.example .changeset/x.md .storybook/main.ts .vscodeignore .well-known/security.txt CLAUDE.md AGENTS.md " +
    "src/a.ts a..b a.b. config HEAD objects/x refs/x a/config/y.ts a/refs/y.ts a/objects/y.ts a/b/config";
  for (const path of files.split(" ")) await changeableUri(path);
});

test("a file of secrets is called one", async () => {
  openFolder();
  await assert.rejects(changeableUri(".env"), /keys or passwords/);
  await assert.rejects(changeableUri(".env.local"), /keys or passwords/);
});

test("a folder is not made a Git repository, and none that looks like one is configured", async () => {
  const cases = {
    "docs/HEAD": "docs/objects/x",
    "docs/head": "docs/refs/x",
    "docs/Head": "docs/commondir",
    "docs/objects/x": "docs/HEAD",
    "docs/refs/heads/x": "docs/HEAD",
    "docs/commondir": "docs/HEAD",
    "docs/Objects/x": "docs/head",
    "docs/config": "docs/refs/x",
  };
  for (const [path, other] of Object.entries(cases)) {
    openFolder(other);
    assert.ok(await isRefused(path), `${path} beside ${other}`);
  }
  openFolder("docs/HEAD", "docs/config", "docs/objects/x", "docs/refs/x");
  assert.ok(await isRefused("docs/config"));
  assert.equal(await isRefused("docs/readme.md"), false);
  const root = openFolder("docs/objects/x", "docs/refs/x");
  symlinkSync(join(root, "docs"), join(root, "other"));
  assert.ok(await isRefused("other/HEAD"));
  assert.ok(existsSync(join(root, "other/refs/x")));
});

test("a link does not lead to a file about which the user would be asked by its own name", async () => {
  const root = openFolder("package.json", "src/a.ts", "AGENTS.md", "node_modules/a/index.js");
  symlinkSync("package.json", join(root, "notes.md"));
  symlinkSync("node_modules", join(root, "lib"));
  symlinkSync("AGENTS.md", join(root, "CLAUDE.md"));
  symlinkSync("src/a.ts", join(root, "b.ts"));
  await assert.rejects(changeableUri("notes.md"), /is a link to package\.json.*Use that path/);
  await assert.rejects(changeableUri("lib/a/index.js"), /is a link to node_modules\/a\/index\.js/);
  await changeableUri("CLAUDE.md");
  await changeableUri("b.ts");
});
