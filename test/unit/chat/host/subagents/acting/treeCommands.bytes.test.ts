// What commands of an acting subagent do to files that are no texts, and to modes: byte for byte in the workspace, and back.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isOn, openSandboxed } from "./sandboxKit.ts";

const run = (command: string) => ["run_command", { command }] as const;
const unasked = async () => assert.fail("asked");
const bytes = (...some: readonly number[]) => Buffer.from([0, 255, 1, ...some]);
const logo = "printf '\\000\\377\\001\\011'";

if (isOn) {
  test("files that are no texts are made, changed, moved and deleted byte for byte, and a rewind takes all back", async () => {
    const files = {
      "changed.bin": bytes(1),
      "gone.bin": bytes(2),
      "old.bin": bytes(3),
      "moved.bin": bytes(4),
      "becomes.txt": "text\n",
      "was.bin": bytes(5),
    };
    const { act, changes, made, root, state } = openSandboxed(files);
    const before = state();
    const at = (path: string) => readFileSync(join(root, path));
    const { call, merge, tree } = await act();
    const said = await call(
      ...run(
        `${logo} >logo.png; ${logo} >changed.bin; rm gone.bin; mv old.bin new.bin; mkdir d && mv moved.bin d/m.bin && ${logo} >>d/m.bin; ` +
          `${logo} >becomes.txt; echo text >was.bin; printf '\\357\\273\\277a;b\\r\\n' >marked.csv; : >empty.txt`,
      ),
    );
    assert.match(said, /logo\.png \(new\)/);
    const merged = await merge();
    await tree.remove();
    assert.match(merged, /created logo\.png \(4 bytes\)/);
    assert.doesNotMatch(merged, /Not taken over/);
    const written = bytes(9);
    for (const path of ["logo.png", "changed.bin", "becomes.txt"]) assert.deepEqual(at(path), written, path);
    assert.deepEqual(at("new.bin"), bytes(3));
    assert.deepEqual(at("d/m.bin"), Buffer.concat([bytes(4), written]));
    assert.deepEqual(at("was.bin"), Buffer.from("text\n"));
    assert.deepEqual(at("marked.csv"), Buffer.from("\ufeffa;b\r\n"));
    assert.deepEqual(at("empty.txt"), Buffer.from(""));
    for (const path of ["gone.bin", "old.bin", "moved.bin"]) assert.ok(!existsSync(join(root, path)), path);
    await changes.rewind(made, unasked);
    for (const [path, content] of Object.entries(files))
      assert.deepEqual(at(path), Buffer.from(content), path);
    for (const path of ["logo.png", "new.bin", "d/m.bin", "marked.csv", "empty.txt"])
      assert.ok(!existsSync(join(root, path)), path);
    assert.deepEqual(changes.files, []);
    assert.deepEqual(state(), before);
  });

  test("deleted and moved ones are rejected as a whole", async () => {
    const { act, changes, root } = openSandboxed({ "gone.bin": bytes(2), "old.bin": bytes(3) });
    const { call, merge, tree } = await act();
    await call(...run("rm gone.bin; mv old.bin new.bin"));
    await merge();
    await tree.remove();
    await changes.rejectTogether(changes.files.map(({ uri }) => uri));
    assert.deepEqual(readFileSync(join(root, "gone.bin")), bytes(2));
    assert.deepEqual(readFileSync(join(root, "old.bin")), bytes(3));
    assert.ok(!existsSync(join(root, "new.bin")));
  });

  test("what the workspace has changed meanwhile stays, and what two subagents have made alike is no conflict", async () => {
    const { act, root, type } = openSandboxed({
      "a.bin": bytes(1),
      "b.bin": bytes(2),
      "c.bin": bytes(3),
      "typed.txt": "text\n",
      "d.bin": bytes(4),
    });
    const [first, second] = [await act(), await act()];
    await first.call(
      ...run(
        `${logo} >a.bin; rm b.bin; ${logo} >c.bin; ${logo} >new.bin; ${logo} >typed.txt; ${logo} >same.bin`,
      ),
    );
    await second.call(...run(`printf '\\000x' >d.bin; ${logo} >same.bin; ${logo} >c.bin`));
    for (const path of ["a.bin", "b.bin", "new.bin"]) writeFileSync(join(root, path), bytes(77));
    type("typed.txt", "typed\n");
    const said = await first.merge();
    await first.tree.remove();
    for (const path of [
      "a.bin was left",
      "b.bin was not deleted",
      "new.bin was not created",
      "typed.txt was not",
    ])
      assert.ok(said.includes(`Not taken over: ${path}`), `${path}: ${said}`);
    for (const path of ["a.bin", "b.bin", "new.bin"])
      assert.deepEqual(readFileSync(join(root, path)), bytes(77), path);
    const other = await second.merge();
    await second.tree.remove();
    assert.deepEqual(readFileSync(join(root, "d.bin")), Buffer.from([0, 120]));
    assert.doesNotMatch(other, /Not taken over: same/);
    assert.doesNotMatch(other, /Not taken over: c/, "both have made the same of it");
  });

  test("a file is made a program and a program none; a rewind gives each its mode back", async () => {
    const { act, changes, made, root } = openSandboxed({
      "run.sh": "#!/bin/sh\n",
      "was.sh": "#!/bin/sh\n",
      "edited.sh": "one\ntwo\n",
      "same.sh": "same\n",
      "old.sh": "moved\n",
    });
    chmodSync(join(root, "was.sh"), 0o755);
    chmodSync(join(root, "edited.sh"), 0o640);
    const modes = (...paths: readonly string[]) =>
      paths.map((path) => (statSync(join(root, path)).mode & 0o777).toString(8));
    const umasked = modes("run.sh");
    const { call, merge, tree } = await act();
    const said = await call(
      ...run(
        "chmod +x run.sh edited.sh; chmod -x was.sh; sed -i s/two/TWO/ edited.sh; chmod +x same.sh; mv old.sh new.sh; chmod +x new.sh; printf '#!/bin/sh\\n' >made.sh; chmod 777 made.sh",
      ),
    );
    assert.match(said, /run\.sh/);
    await call(...run("chmod -x same.sh && ./run.sh && ./made.sh"));
    const merged = await merge();
    await tree.remove();
    assert.match(merged, /changed run\.sh \(executable\)/);
    assert.match(merged, /changed was\.sh \(not executable\)/);
    assert.doesNotMatch(merged, /same\.sh/);
    assert.deepEqual(modes("run.sh", "was.sh", "edited.sh", "new.sh", "made.sh"), [
      "755",
      "644",
      "750",
      "755",
      "755",
    ]);
    await changes.rewind(made, unasked);
    assert.deepEqual(modes("run.sh", "was.sh", "edited.sh", "same.sh", "old.sh"), [
      ...umasked,
      "755",
      "640",
      ...umasked,
      ...umasked,
    ]);
    assert.equal(readFileSync(join(root, "edited.sh"), "utf8"), "one\ntwo\n");
    assert.deepEqual(changes.files, []);
  });

  test("the mode of an edited file is rejected with its lines", async () => {
    const { act, changes, root } = openSandboxed({ "a.sh": "one\n" });
    const { call, merge, tree } = await act();
    await call(...run("chmod +x a.sh; echo two >>a.sh"));
    await merge();
    await tree.remove();
    assert.equal(statSync(join(root, "a.sh")).mode & 0o111, 0o111);
    await changes.rejectTogether(changes.files.map(({ uri }) => uri));
    assert.equal(readFileSync(join(root, "a.sh"), "utf8"), "one\n");
    assert.equal(statSync(join(root, "a.sh")).mode & 0o111, 0);
  });

  test("other line ends and byte order marks arrive as they were written, and come back", async () => {
    const { act, made, changes, root } = openSandboxed({ "crlf.txt": "a\r\nb\r\n", "lf.txt": "a\nb\n" });
    const at = (path: string) => readFileSync(join(root, path), "latin1");
    const { call, merge, tree } = await act();
    await call(...run("sed -i 's/\\r$//' crlf.txt; sed -i 's/$/\\r/' lf.txt"));
    await merge();
    await tree.remove();
    assert.deepEqual(["crlf.txt", "lf.txt"].map(at), ["a\nb\n", "a\r\nb\r\n"]);
    await changes.rewind(made, unasked);
    assert.deepEqual(["crlf.txt", "lf.txt"].map(at), ["a\r\nb\r\n", "a\nb\n"]);
  });

  test("a file that is too large, and what does not fit with the others, are named and stay in the copy", async () => {
    const { act, root } = openSandboxed({ "a.txt": "a\n" });
    const { call, merge, tree } = await act();
    const said = await call(
      ...run(
        "truncate -s 26M big.bin; for i in 1 2 3 4 5; do truncate -s 24M part$i.bin; done; echo x >>part1.bin",
      ),
    );
    assert.match(said, /big\.bin is larger than 25 MB/);
    assert.match(said, /part5\.bin does not fit: at most 100 MB/);
    await call(...run("rm part1.bin"));
    await call(...run("echo x >>part5.bin"));
    const merged = await merge();
    await tree.remove();
    assert.match(merged, /created part5\.bin \(24 MB\)/);
    assert.match(merged, /Not taken over, as data:\n```\nbig\.bin is larger than 25 MB/);
    assert.ok(!existsSync(join(root, "big.bin")) && !existsSync(join(root, "part1.bin")));
    assert.equal(statSync(join(root, "part2.bin")).size, 24 * 1024 * 1024);
  });

  test("names with line breaks, quotes, dashes, other forms of Unicode and of the longest length arrive; others are named", async () => {
    const long = `${"l".repeat(251)}.txt`;
    const names = [
      "a\nb.txt",
      "a \"quoted\" 'name'.txt",
      "-rf.txt",
      "e\u0301.txt",
      "\u00e9.txt",
      "a\\b.txt",
      long,
    ];
    const { act, changes, made, root, state } = openSandboxed(
      Object.fromEntries([...names, "old.txt"].map((name) => [name, "one\n"])),
    );
    const before = state();
    const { call, merge, tree } = await act();
    const said = await call(
      ...run(
        `for f in ./*; do echo two >>"$f"; done; echo x >"$(printf 'new\\nname.txt')"; echo x >"$(printf 'bad\\377.txt')"; mv old.txt "$(printf 'moved\\tname.txt')"`,
      ),
    );
    const merged = await merge();
    await tree.remove();
    assert.match(said, /bad\ufffd\.txt has a name that is no UTF-8/);
    assert.match(merged, /bad\ufffd\.txt has a name that is no UTF-8/);
    // Of a name with a backslash, tools of other systems take the part before it for a folder.
    for (const name of names.filter((one) => !one.includes("\\")))
      assert.equal(readFileSync(join(root, name), "utf8"), "one\ntwo\n", name);
    assert.equal(readFileSync(join(root, "new\nname.txt"), "utf8"), "x\n");
    assert.equal(readFileSync(join(root, "moved\tname.txt"), "utf8"), "one\ntwo\n");
    await changes.rewind(made, unasked);
    assert.deepEqual(state(), before);
  });
}
