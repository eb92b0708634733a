// Every notebook of the gallery runs to its end on real nodes and on the simulated chains, without a problem beforehand.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { evm } from "../../../../src/rpc/evm/evm.ts";
import { networksInHead, readDocument } from "../../../../src/rpc/file/readDocument.ts";
import { writeDocument } from "../../../../src/rpc/file/writeDocument.ts";
import { formatCell } from "../../../../src/rpc/language/assist/formatCell.ts";
import { diagnose } from "../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { exactJsonText } from "../../../../src/shared/text/json/exactJson.ts";
import { root } from "../../../tools/paths.ts";
import { type Bench, openBench, projectOf } from "../notebook.ts";

const folder = join(root, "media", "notebooks");
const files = readdirSync(folder);

test("the gallery has a notebook for each common question", () => {
  assert.ok(files.length >= 8);
  for (const name of files) assert.match(name, /^\d\d-[a-z-]+\.rpc\.md$/);
});

for (const nodes of [true, false])
  describe(`the gallery, ${nodes ? "real nodes" : "simulated nodes"}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await openBench({ nodes }, "venice");
    });
    after(() => bench.close());

    for (const name of files) {
      test(name, async () => {
        const text = readFileSync(join(folder, name), "utf8");
        const { head, cells } = readDocument(text);
        assert.equal(writeDocument(head, cells), text);
        const requests = cells.filter(({ kind }) => kind === "request");
        const project = projectOf(requests, networksInHead(head));
        for (let index = 0; index < requests.length; index++) {
          const problems = diagnose(project, index, evm).filter(({ severity }) => severity !== "hint");
          assert.deepEqual(problems, []);
          const own = project.cells[index];
          if (own?.cell.form === "lines") assert.deepEqual(formatCell(own.cell), []);
          const run = await bench.run(project, index);
          assert.equal(run.problem, undefined);
          for (const { outcome } of run.rounds.flatMap(({ lines }) => lines)) {
            assert.ok(outcome.kind === "result", exactJsonText(outcome));
          }
          for (const expectation of run.rounds.flatMap(({ expectations }) => expectations))
            assert.equal(expectation.state, "passed", JSON.stringify(expectation));
        }
      });
    }
  });
