// All shipped code has its full licence texts in the package.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import type { Metafile } from "esbuild";
import { writeNotices } from "../../tools/notices.ts";
import { root } from "../../tools/paths.ts";

const { outputs } = JSON.parse(readFileSync(join(root, "dist", "meta.json"), "utf8")) as Metafile;
const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
const notices = readFileSync(join(root, "dist", "THIRD_PARTY_NOTICES.txt"), "utf8");

test("names each package of the bundles with its version", () => {
  const folders = new Set(
    inputs.flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  assert.ok(folders.size > 50);
  for (const folder of folders) {
    const { name, version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    assert.ok(notices.includes(`${name} ${version} (`), folder);
  }
});

test("each shipped WebAssembly file belongs to a bundle that the notices name", () => {
  const shipped = globSync("dist/**/*.wasm", { cwd: root }).map((path) => basename(path));
  assert.ok(shipped.length >= 6);
  const known = inputs.filter((path) => path.endsWith(".wasm")).map((path) => basename(path));
  assert.deepEqual([...shipped].sort(), [...new Set(known)].sort());
});

test("includes the full licences of the sources of the WebAssembly", () => {
  const ends: Readonly<Record<string, readonly RegExp[]>> = {
    LAME: [/LAME 3\.100 \(LGPL/, /GNU LIBRARY GENERAL PUBLIC LICENSE\s+Version 2, June 1991/],
    "LGPL-2.1": [/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1, February 1999/, /END OF TERMS/],
    "how LAME is replaced": [/dist\/work\/mp3\.wasm/, /source package `lame`/],
    libopus: [/libopus \(BSD/, /Internet Society, IETF or IETF Trust/],
    MozJPEG: [
      /MozJPEG and libjpeg-turbo/,
      /D\. R\. Commander/,
      /Independent JPEG\s+Group/,
      /Thomas G\. Lane/,
    ],
    libwebp: [/libwebp \(BSD/, /Copyright \(c\) 2010, Google Inc\./],
    "@cfworker/json-schema": [/@cfworker\/json-schema [\d.]+ \(MIT\)[^-]+Jeremy Danyow/],
    "PDF.js": [/PDF\.js of the Mozilla Foundation/, /Apache License\s+Version 2\.0, January 2004/],
    llhttp: [/llhttp \(MIT\)/, /Fedor Indutny/],
  };
  for (const [what, patterns] of Object.entries(ends))
    for (const pattern of patterns) assert.match(notices, pattern, what);
});

test("states each licence in full at its package, also one that others have", () => {
  const pages = notices.split(`\n\n${"-".repeat(80)}\n\n`);
  const apache = pages.filter((page) => /^\S+ [\d.]+ \(Apache-2\.0\)/.test(page));
  assert.ok(apache.length > 1);
  for (const page of apache)
    assert.match(page, /9\. Accepting Warranty[\s\S]*END OF TERMS/, page.slice(0, 60));
  const mit = pages.filter((page) => /^\S+ [\d.]+ \(MIT\)/.test(page));
  assert.ok(mit.length > 20);
  for (const page of mit)
    assert.match(page, /permission is hereby granted|permission to use, copy, modify/i, page.slice(0, 60));
});

test("a package without a licence text, or an unknown WebAssembly file, fails the build", () => {
  const strange = ["node_modules/@noble/hashes/esm/a.js", "node_modules/wasm-media-encoders/wasm/ogg.wasm"];
  assert.throws(() => writeNotices(strange), /ogg\.wasm: what is it compiled from/);
  assert.throws(() => writeNotices(["node_modules/node/index.js"]), /no text/);
});
