// What is said of a call that was begun and whose end nobody knows stands in one file: no caller words it again, and wrongly.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { mayHaveHappened } from "../../../src/shared/mayHaveHappened.ts";
import { root } from "../../tools/paths.ts";

const sources = ["chat", "tools", "languageModels"].flatMap((domain) =>
  readdirSync(join(root, "src", domain), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(root, "src", domain, name), "utf8") })),
);
/** Without comments. */
const code = ({ text }: { readonly text: string }) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");

test("sentences about calls that may have happened are in mayHaveHappened.ts alone, and each is used", () => {
  const worded = /may have (?:run|been (?:billed|made|sent|done)|reached the service)/i;
  assert.deepEqual(
    sources.filter((source) => worded.test(code(source))).map(({ name }) => name),
    [],
  );
  const all = sources.map(code).join("\n");
  for (const name of Object.keys(mayHaveHappened))
    assert.match(all, new RegExp(`mayHaveHappened\\.${name}\\b`));
});
