// The package contains the manifest, the texts, the bundles and media, and nothing else.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Metafile } from "esbuild";
import { vsixPath } from "../../tools/package.ts";
import { root } from "../../tools/paths.ts";
import { trackedFiles } from "../tracked.ts";

assert.ok(existsSync(vsixPath()), "there is no packed extension: npm run package");

/** Names in a zip file, read from its central directory (APPNOTE 4.3.12). */
function zipEntries(path: string): string[] {
  const bytes = readFileSync(path);
  const names: string[] = [];
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  let at = bytes.readUInt32LE(end + 16);
  while (bytes.readUInt32LE(at) === 0x02014b50) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    names.push(bytes.toString("utf8", at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names;
}

test("the packed extension contains the expected files only", () => {
  const { outputs } = JSON.parse(readFileSync(join(root, "dist", "meta.json"), "utf8")) as Metafile;
  // The notices contain the licence texts. The editor's page of an extension loads pictures over https only,
  // so README's pictures would not be shown.
  const media = trackedFiles().filter((path) => /^media\/(?!(licenses|readme)\/)/.test(path));
  const built = Object.keys(outputs).filter((path) => !path.endsWith(".map"));
  const expected = [
    ...["[Content_Types].xml", "extension.vsixmanifest"],
    ...[
      "package.json",
      "readme.md",
      "changelog.md",
      "LICENSE.txt",
      "dist/THIRD_PARTY_NOTICES.txt",
      ...built,
      ...media,
    ].map((path) => `extension/${path}`),
  ];
  assert.deepEqual(zipEntries(vsixPath()).sort(), expected.sort());
});
