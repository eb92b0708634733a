import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  boundDiff,
  describeLeftOut,
  newFileDiff,
  splitDiff,
} from "../../../../src/editor/commit/commitDiff.ts";
import { looksSecret } from "../../../../src/shared/secretFiles.ts";

const fileDiff = (name: string, lines: number) =>
  `diff --git a/${name} b/${name}\nindex 1..2 100644\n--- a/${name}\n+++ b/${name}\n@@ -1 +1,${lines} @@\n${"+a line\n".repeat(lines)}`;

test("omits and names secret files, in any form of git's headers", () => {
  const renamed =
    "diff --git a/keys.txt b/conf/.env\nsimilarity index 90%\nrename from keys.txt\nrename to conf/.env\n";
  const deleted =
    "diff --git a/id_rsa b/id_rsa\ndeleted file mode 100600\n--- a/id_rsa\n+++ /dev/null\n@@ -1 +0,0 @@\n-KEY\n";
  const binary =
    "diff --git a/my cert.p12 b/my cert.p12\nBinary files a/my cert.p12 and b/my cert.p12 differ\n";
  const quoted = 'diff --git "a/\\303\\274/server.pem" "b/\\303\\274/server.pem"\nnew file mode 100644\n';
  const bound = boundDiff(renamed + fileDiff("a.ts", 2) + deleted + binary + quoted, 10_000);
  assert.equal(bound.text, fileDiff("a.ts", 2));
  assert.deepEqual(bound.secret, ["conf/.env", "id_rsa", "my cert.p12", "ü/server.pem"]);
  assert.match(
    describeLeftOut(bound),
    /^Not sent, because the name looks like a secret: conf\/\.env, id_rsa,/,
  );
});

test("lines that look like git headers do not hide the file name", () => {
  const diff = fileDiff(".env", 1).replace("+a line", "+a line\n--- a/harmless.ts\n+++ b/harmless.ts");
  assert.deepEqual(boundDiff(diff, 1000).secret, [".env"]);
});

test("truncates long files, keeps short ones, and says which", () => {
  const bound = boundDiff(fileDiff("long.ts", 1000) + fileDiff("short.ts", 3), 2000);
  assert.ok(bound.text.includes(fileDiff("short.ts", 3)));
  assert.match(bound.text, /a line\n… the rest of this file's changes was omitted\ndiff --git a\/short/);
  assert.equal(describeLeftOut(bound), "Too long to be sent whole: long.ts.");
  assert.equal(describeLeftOut(boundDiff(fileDiff("short.ts", 3), 2000)), "");
});

test("never exceeds the limit, and keeps the other files complete", () => {
  const files = fc.array(fc.nat(200), { maxLength: 20 });
  fc.assert(
    fc.property(files, fc.nat(20_000), (lengths, max) => {
      const diffs = lengths.map((length, index) => fileDiff(`f${index}.ts`, length));
      const bound = boundDiff(diffs.join(""), max);
      assert.ok(bound.text.length <= max);
      for (const [index, diff] of diffs.entries()) {
        assert.ok(bound.cut.includes(`f${index}.ts`) || bound.text.includes(diff));
      }
    }),
  );
});

test("reads names with spaces", () => {
  assert.deepEqual(splitDiff(fileDiff("my notes/a b.md", 1))[0]?.paths, ["my notes/a b.md"]);
});

test("a name above ASCII is written as it is, and the lines of the file are not touched", () => {
  const escaped = (name: string) =>
    `diff --git "a/${name}" "b/${name}"\n--- "a/${name}"\n+++ "b/${name}"\n@@ -1 +1 @@\n-x\n+"b/\\303\\274"\n`;
  const cases = [
    ["\\303\\234bersicht \\360\\237\\230\\200.md", "Übersicht 😀.md", ""],
    ["\\303\\274\\t.md", "ü\\t.md", '"'],
    ["\\\\303\\303\\274.md", "\\\\303ü.md", '"'],
    ["\\303.md", "\\303.md", '"'],
  ] as const;
  for (const [git, name, quote] of cases) {
    const [file] = splitDiff(escaped(git));
    assert.deepEqual(file?.paths, [name]);
    const [first, ...rest] = file.text.split("\n");
    assert.equal(first, `diff --git ${quote}a/${name}${quote} ${quote}b/${name}${quote}`);
    assert.equal(rest[4], '+"b/\\303\\274"');
  }
});

test("tells secret file names from others", () => {
  const secret = [".env", "x/.env.local", "id_ed25519", "C:\\keys\\server.PEM", ".npmrc", "credentials.json"];
  const plain = [".env.example", "id_rsa.pub", "environment.ts", "keyboard.ts", "secretFiles.ts", "token.md"];
  assert.deepEqual([...secret, ...plain].filter(looksSecret), secret);
});

test("a new file is written as git would, so that it is counted, cut and left out like the others", () => {
  const text = newFileDiff("new file.ts", "let x = 1;\nlet y = 2;\n");
  const [file] = splitDiff(text);
  assert.deepEqual(file?.paths, ["new file.ts"]);
  assert.match(text, /^@@ -0,0 \+1,2 @@\n\+let x = 1;\n\+let y = 2;\n$/m);
  assert.deepEqual(boundDiff(newFileDiff(".env", undefined), 1000).secret, [".env"]);
  assert.equal(splitDiff(newFileDiff("a.ts", "diff --git a/.env b/.env\n") + text).length, 2);
});
