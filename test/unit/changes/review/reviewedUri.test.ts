import assert from "node:assert/strict";
import { test } from "node:test";
import { double, replace } from "../../vscodeDouble.ts";

const { reviewedUri } = await import("../../../../src/changes/review/reviewFeature.ts");

test("a command about something that is no file is not about the active file instead", (t) => {
  const active = double.Uri.file("/work/active.ts");
  replace("window", { activeTextEditor: { document: { uri: active } } }, t);
  assert.equal(reviewedUri(undefined), active);
  const named = double.Uri.file("/work/named.ts");
  assert.equal(reviewedUri(named), named);
  for (const other of [{}, { path: "/work/named.ts" }, 1, false, []])
    assert.equal(reviewedUri(other), undefined, JSON.stringify(other));
});
