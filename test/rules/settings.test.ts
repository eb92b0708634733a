// Settings of the manifest match ids.ts, README and guide.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { settings } from "../../src/shared/ids.ts";
import { root } from "../tools/paths.ts";
import { assertSame, declared, manifest } from "./manifest.ts";

test("settings match ids.ts, each with a description and a valid default", () => {
  assertSame(Object.keys(declared), Object.values(settings));
  for (const [id, setting] of Object.entries(declared)) {
    assert.match(id, /^inference\.[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
    assert.ok(setting.markdownDescription, `${id} is not described`);
    assert.ok(setting.default !== undefined, `${id} has no default`);
    if (setting.enum) assert.ok(setting.enum.includes(String(setting.default)), id);
  }
});

test("settings have application scope, so that no workspace can change them", () => {
  for (const [id, { scope }] of Object.entries(declared)) assert.equal(scope, "application", id);
  assertSame(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, Object.keys(declared));
});

/** The rows of a page's table of settings, by id; two settings of one area may share a row. */
function settingsIn(page: string): Map<string, string> {
  const rows = readFileSync(join(root, page), "utf8").matchAll(/^\| (`inference\.[^|]+) \| ([^|]+) \|/gm);
  const defaults = new Map<string, string>();
  for (const [, names = "", values = ""] of rows) {
    const ids = [...names.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name);
    const area = ids[0]?.replace(/\w+$/, "");
    const given = values.split(", ");
    for (const [index, id] of ids.entries())
      defaults.set(index === 0 ? id : `${area}${id}`, (given[index] ?? given[0] ?? "").replaceAll("`", ""));
  }
  return defaults;
}

test("README and guide name existing settings with their defaults; the guide lists all", () => {
  for (const page of ["README.md", "media/docs/11-settings.md"]) {
    const written = settingsIn(page);
    assert.ok(written.size > 5, page);
    for (const [id, value] of written)
      assert.equal(value, defaultText(declared[id]?.default), `${page}: ${id}`);
  }
  assertSame([...settingsIn("media/docs/11-settings.md").keys()], Object.keys(declared));
});

function defaultText(value: unknown): string {
  if (value === false) return "off";
  if (value === true) return "on";
  if (Array.isArray(value) && value.length > 0) return value.join(" ");
  return typeof value === "object" ? "none" : String(value);
}
