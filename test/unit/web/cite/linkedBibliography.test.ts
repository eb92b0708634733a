// A bibliography through links: who made a folder must not choose a file of the user that is written.
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { leadsElsewhereThan } from "../../../../src/web/cite/linkedBibliography.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

// Links need a right on Windows.
const options = { skip: process.platform === "win32" };

test(
  "links lead to files of the folders, and to a bibliography that exists, and to nothing else",
  options,
  async () => {
    const [folder, home] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(home, ".bashrc"), "");
    writeFileSync(join(home, "library.bib"), "");
    writeFileSync(join(folder, "own.bib"), "");
    mkdirSync(join(folder, "sub"));
    const link = (target: string, name: string) => symlinkSync(target, join(folder, name));
    link(join(home, ".bashrc"), "shell.bib");
    link(join(home, "gone.bib"), "gone.bib");
    link(home, "out");
    link(join(home, "library.bib"), "library.bib");
    link(join(folder, "own.bib"), "again.bib");
    const isElsewhere = (name: string) => leadsElsewhereThan([folder], join(folder, name));
    for (const name of ["own.bib", "again.bib", "library.bib", "new.bib", "sub/new.bib", "new/new.bib"])
      assert.equal(await isElsewhere(name), false, name);
    for (const name of ["shell.bib", "gone.bib", "out/new.bib", "out/deep/new.bib"])
      assert.equal(await isElsewhere(name), true, name);
  },
);
