import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogOutputChannel } from "vscode";
import { ApiError } from "../../../src/api/errors/errors.ts";
import { logClientEvent } from "../../../src/platform/log.ts";

test("text of a service starts no line of the log", () => {
  const lines: string[] = [];
  const log = { error: (line: string) => void lines.push(line) } as unknown as LogOutputChannel;
  const error = new ApiError("unavailable", "down\r\n2026-11-22 [info] key accepted\u2028again\u001b[2J");
  const sent = { type: "exchange", endpoint: "models.list", method: "GET", path: "/models" } as const;
  logClientEvent(log, { ...sent, attempt: 0, ms: 1, status: 503, limits: {}, error });
  assert.deepEqual(lines, [
    "GET /models 503 1 ms: unavailable: down 2026-11-22 [info] key accepted again [2J",
  ]);
});
