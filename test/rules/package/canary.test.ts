// No file that the run wrote contains a key that a test signed in with.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { test } from "node:test";
import { editorState, results, root } from "../../tools/paths.ts";
import { canaryKeys, findSecrets } from "./canary.ts";

test("reports, profiles, logs and storage of this run contain no key", async () => {
  const findings = await findSecrets(canaryKeys, [results, editorState]);
  assert.deepEqual(
    findings.map(({ path, secret }) => `${relative(root, path)}: ${secret}`),
    [],
  );
});

test("finds a key in any encoding", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "canary-"));
  t.after(() => rm(folder, { recursive: true }));
  const secret = "a-canary-of-this-test";
  const padding = (length: number) => Buffer.alloc(length, "x");
  const forms: Readonly<Record<string, Buffer | string>> = {
    text: `before ${secret} after`,
    alone: secret,
    utf16: Buffer.from(`{"k":"${secret}"}`, "utf16le"),
    base64: Buffer.from(secret).toString("base64"),
    base64Shifted: Buffer.from(`x${secret}y`).toString("base64"),
    base64ShiftedTwice: Buffer.from(`xy${secret}z`).toString("base64url"),
    acrossPieces: Buffer.concat([padding((1 << 20) - 5), Buffer.from(secret), padding(9)]),
  };
  await mkdir(join(folder, "deep", "er"), { recursive: true });
  for (const [name, content] of Object.entries(forms))
    await writeFile(join(folder, "deep", "er", name), content);
  await writeFile(join(folder, "clean"), secret.slice(0, -1));
  const findings = await findSecrets([secret, "another"], [folder, join(folder, "not there")]);
  assert.deepEqual(
    findings.map(({ path }) => relative(join(folder, "deep", "er"), path)).sort(),
    Object.keys(forms).sort(),
  );
  assert.deepEqual([...new Set(findings.map((finding) => finding.secret))], [secret]);
});
