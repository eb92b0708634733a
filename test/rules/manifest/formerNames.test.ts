// Former names of commands and settings: one table has them, and the manifest declares the settings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formerCommands, formerSettings } from "../../../src/shared/names/formerNames.ts";
import { commands, settings } from "../../../src/shared/names/ids.ts";
import { textOf, trackedFiles } from "../tracked.ts";
import { assertSame, declared, deprecated } from "./manifest.ts";

const table = "src/shared/names/formerNames.ts";
const current = new Set<string>([...Object.values(commands), ...Object.values(settings)]);

test("a former name belongs to one command or setting, and to none of today", () => {
  for (const [kind, known, former] of [
    ["command", Object.values(commands), formerCommands],
    ["setting", Object.values(settings), formerSettings],
  ] as const) {
    const names = Object.values(former).flatMap((ids) => ids.split(" "));
    assert.equal(new Set(names).size, names.length, kind);
    for (const id of Object.keys(former))
      assert.ok(
        known.some((other) => other === id),
        id,
      );
    for (const name of names) assert.ok(!current.has(name), `${name} is the name of another ${kind}`);
  }
});

test("the manifest declares each setting under its former name, with its type, and names the new one", () => {
  assertSame(Object.keys(deprecated), Object.values(formerSettings));
  for (const [id, former] of Object.entries(formerSettings)) {
    assert.deepEqual(deprecated[former]?.type, [declared[id]?.type, "null"], former);
    // Another default would look like a value that the user has set.
    assert.equal(deprecated[former]?.default, null, former);
    assert.equal(deprecated[former]?.markdownDeprecationMessage, `The new name is \`#${id}#\`.`);
  }
});

test("no other file says a former name", () => {
  const former = new Set<string>([
    ...Object.values(formerCommands).flatMap((ids) => ids.split(" ")),
    ...Object.values(formerSettings),
  ]);
  const inManifest = new Set<string>(Object.values(formerSettings));
  const found: string[] = [];
  for (const file of trackedFiles().filter((path) => path !== table && path !== "CHANGELOG.md")) {
    for (const [name] of (textOf(file) ?? "").matchAll(/inference\.[a-z]\w*\.\w+/gi))
      if (former.has(name) && !(file === "package.json" && inManifest.delete(name)))
        found.push(`${file}: ${name}`);
  }
  assert.deepEqual(found, []);
});
