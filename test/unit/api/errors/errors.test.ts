import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, isCancelled, isLimit } from "../../../../src/api/errors/errors.ts";

test("only an ApiError that says so is a cancellation: another bundle's too, but no AbortError", () => {
  const foreign = Object.assign(new Error("stopped"), { name: "ApiError", kind: "cancelled", details: {} });
  assert.deepEqual([new ApiError("cancelled", "stopped"), foreign].map(isCancelled), [true, true]);
  const others = [
    new ApiError("network", "late"),
    new DOMException("no", "AbortError"),
    "cancelled",
    undefined,
  ];
  assert.deepEqual(others.map(isCancelled), [false, false, false, false]);
});

test("what refuses until its reset is a limit; what may recover at any moment is none", () => {
  const kinds = ["rate-limited", "failure-budget", "network", "cancelled"] as const;
  assert.deepEqual(
    kinds.map((kind) => isLimit(new ApiError(kind, "no"))),
    [true, true, false, false],
  );
});
