import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { Refusal } from "../../../../src/platform/errors/refusal.ts";
import { HomeFiles, withHomeSkills } from "../../../../src/tools/files/homeFiles.ts";
import type { WorkspaceFiles } from "../../../../src/tools/files/workspaceFiles.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

function homeWith(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, home: new HomeFiles(folder) };
}

const skill = ".claude/skills/pdf";
const maxBytes = 1_000;

test("only files in the folder of a skill are read for a model, by each spelling of their paths", async () => {
  const { folder, home } = homeWith({
    [`${skill}/SKILL.md`]: "Steps.",
    [`${skill}/references/forms.md`]: "Forms.",
    "notes.md": "Private.",
    ".claude/CLAUDE.md": "Rules.",
  });
  for (const path of [`~/${skill}/SKILL.md`, `~/./${skill}//SKILL.md`, join(folder, skill, "SKILL.md")])
    assert.equal(home.skillPath(path), `~/${skill}/SKILL.md`, path);
  const others = [
    "~/notes.md",
    "~/.claude/CLAUDE.md",
    "~/.claude/skills",
    `~/${skill}/../../../notes.md`,
    `${folder}/${skill}/../../../notes.md`,
    `${folder}-2/${skill}/SKILL.md`,
    `${skill}/SKILL.md`,
    `~\\.claude\\skills\\pdf\\SKILL.md`,
    "/etc/passwd",
    "",
  ];
  for (const path of others) assert.equal(home.skillPath(path), undefined, path);
  const asked: string[] = [];
  const workspace = {
    readText: async (path: string) => {
      asked.push(path);
      return "of the workspace";
    },
  } as unknown as WorkspaceFiles;
  const files = withHomeSkills(workspace, home);
  assert.equal(await files.readText(`~/${skill}/references/forms.md`, maxBytes), "Forms.");
  assert.equal((await files.look(`~/${skill}/SKILL.md`)).size, 6);
  assert.deepEqual((await files.list(`~/${skill}`)).names, ["SKILL.md", "references/"]);
  assert.equal(await files.readText("~/notes.md", maxBytes), "of the workspace");
  assert.deepEqual(asked, ["~/notes.md"]);
  await assert.rejects(files.readText(`~/${skill}/none.md`, maxBytes), /There is no file ~\/.claude/);
  await assert.rejects(files.look(`~/${skill}/references`), /is a folder: list_files/);
});

test("a skill that is a link of the user is read; a link in it that leads out, and a file of secrets, are not", async () => {
  const { folder, home } = homeWith({
    "dotfiles/pdf/SKILL.md": "Steps.",
    "dotfiles/pdf/.env": "KEY=1",
    "dotfiles/CLAUDE.md": "Rules.",
    "notes.md": "Private.",
    ".ssh/id_rsa": "key",
  });
  mkdirSync(join(folder, ".claude/skills"), { recursive: true });
  symlinkSync(join(folder, "dotfiles/pdf"), join(folder, skill));
  symlinkSync(join(folder, "dotfiles/CLAUDE.md"), join(folder, ".claude/CLAUDE.md"));
  symlinkSync(join(folder, "notes.md"), join(folder, "dotfiles/pdf/out.md"));
  symlinkSync(join(folder, ".ssh/id_rsa"), join(folder, ".claude/key.md"));
  assert.deepEqual(await home.list("~/.claude/skills"), ["pdf/"]);
  assert.equal(await home.readText(`~/${skill}/SKILL.md`, maxBytes), "Steps.");
  assert.equal(await home.readText("~/.claude/CLAUDE.md", maxBytes), "Rules.");
  await assert.rejects(home.readText(`~/${skill}/out.md`, maxBytes), /leads out of its skill/);
  await assert.rejects(home.readText(`~/${skill}/.env`, maxBytes), /keys or passwords/);
  await assert.rejects(home.readText("~/.claude/key.md", maxBytes), /keys or passwords/);
  await assert.rejects(async () => home.absolute("~/../x"), Refusal);
});

test("a file that has not changed is not read again, and one that has is; sizes and texts are bounded", async () => {
  const { folder, home } = homeWith({ ".claude/CLAUDE.md": "first", ".claude/large.md": "x".repeat(2_000) });
  const path = "~/.claude/CLAUDE.md";
  let reads = 0;
  const { readBytes } = home;
  home.readBytes = function (...args) {
    reads += 1;
    return readBytes.apply(this, args);
  };
  for (const _ of [1, 2, 3]) assert.equal(await home.readText(path, maxBytes), "first");
  assert.equal(reads, 1);
  writeFileSync(join(folder, ".claude/CLAUDE.md"), "other");
  utimesSync(join(folder, ".claude/CLAUDE.md"), 1, 1);
  assert.equal(await home.readText(path, maxBytes), "other");
  assert.equal(reads, 2);
  await assert.rejects(home.readText("~/.claude/large.md", maxBytes), /larger than/);
  writeFileSync(join(folder, ".claude/wide.md"), Buffer.from("wide", "utf16le"));
  await assert.rejects(home.readText("~/.claude/wide.md", maxBytes), /no text in UTF-8/);
  assert.equal(await home.readText("~/.claude", maxBytes), undefined);
  assert.equal(await home.list("~/.codex"), undefined);
});
