import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { agentPrograms, isPlainId, tokenVariable } from "../../../../src/gateway/programs/agentPrograms.ts";
import { findProgram } from "../../../../src/gateway/programs/findProgram.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

const address = { origin: "http://127.0.0.1:8790", model: "qwen3-coder:30b" };

test("each program learns the address and the model, and none of its texts can have a token", () => {
  for (const program of agentPrograms) {
    const { text, where } = program.settings(address);
    const line = program.command(address);
    const all = JSON.stringify([program.variables(address), line, text]);
    assert.ok(all.includes(address.origin), program.name);
    assert.ok(all.includes(address.model), program.name);
    assert.ok(where.length > 10);
    if (/KEY|TOKEN|apiKey/.test(text)) assert.ok(text.includes(tokenVariable), program.name);
  }
});

test("a line that is typed has only words that each shell takes as they are", () => {
  for (const program of agentPrograms) {
    const line = program.command(address);
    if (line !== undefined) assert.match(line, /^[\w.:/=\- ]+$/, program.name);
  }
});

test("an id that is more than a name where it is typed or pasted is not plain", () => {
  for (const id of ["a b", "$(x)", "--full-auto", "{file:~/.ssh/id}", "a;b", "a'b", "", "a".repeat(201)])
    assert.equal(isPlainId(id), false, id);
  for (const id of ["gpt-5", "qwen3-coder:30b", "org/model@1", "a_b.c"]) assert.ok(isPlainId(id), id);
});

test("a program is found on PATH without being run, and only where it can be run", async () => {
  const [empty, folder] = [temporaryFolder(), temporaryFolder()];
  const path = join(folder, "codex");
  writeFileSync(path, "exit 1\n");
  const PATH = ["relative", empty, folder].join(":");
  assert.equal(await findProgram(["codex"], { PATH }, false), undefined);
  chmodSync(path, 0o755);
  assert.equal(await findProgram(["none", "codex"], { PATH }, false), path);
  assert.equal(await findProgram([], { PATH }, false), undefined);
  assert.equal(await findProgram(["codex"], {}, false), undefined);
});
