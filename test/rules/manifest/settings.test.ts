// Settings of the manifest match ids.ts, README and guide.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commandSettings, settings } from "../../../src/shared/names/ids.ts";
import { root } from "../../tools/paths.ts";
import {
  assertSame,
  contributes,
  declared,
  deprecated,
  domainOf,
  domains,
  keyOf,
  manifest,
} from "./manifest.ts";

const known = { ...settings, ...commandSettings };

test("settings match ids.ts, each with a description and a valid default", () => {
  assertSame(Object.keys(declared), Object.values(known));
  for (const [key, id] of Object.entries(known)) assert.equal(key, keyOf(id));
  for (const [id, setting] of Object.entries(declared)) {
    assert.ok(setting.markdownDescription, `${id} is not described`);
    assert.ok(setting.default !== undefined, `${id} has no default`);
    if (setting.enum) assert.ok(setting.enum.includes(String(setting.default)), id);
  }
});

test("settings of a domain form a group with the domain's title", () => {
  const groups = contributes.configuration.map(({ title, properties }) => {
    const ids = Object.keys(properties).filter((id) => declared[id]);
    return [title, ...new Set(ids.map((id) => domains[domainOf(id)]))];
  });
  for (const [title, ...own] of groups) assert.deepEqual(own, [title]);
  assert.equal(new Set(groups.map(([title]) => title)).size, groups.length);
});

test("settings have application scope, so that no workspace can change them", () => {
  for (const [id, { scope }] of Object.entries({ ...declared, ...deprecated }))
    assert.equal(scope, "application", id);
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
