// Each row's recorded call is restored to the input that it was made with, in both dialects.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isUpload } from "../../../src/api/call/body/upload.ts";
import type { Called } from "../../../src/api/call/record/callRecorder.ts";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { replayInput } from "../../../src/requests/host/replay/replayInput.ts";
import { type Input, transports } from "../suite/suite.ts";
import { sandboxTargets } from "../suite/target.ts";
import { callRecorded, rowsFor } from "./recordedRows.ts";

/** They change the account, or send a file. */
const refused = new Set([
  ...["keys.create", "keys.update", "keys.revoke"],
  ...["augment.parse", "augment.parseText", "audio.createVoice", "images.edit"],
]);

/** The input as the client takes it, without members that are not sent. */
function madeOf(row: Endpoint, input: Input): Record<string, unknown> {
  const { idempotencyKey: _, ...made } = row.input.parse(input) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(made).filter(([, value]) => value !== undefined && value !== null),
  );
}

function assertRestored([id, row]: readonly [string, Endpoint], input: Input, called: Called): void {
  const restored = replayInput(called);
  assert.equal("problem" in restored, refused.has(id), id);
  if ("problem" in restored) return;
  const made = madeOf(row, input);
  const parsed = row.input.parse(restored.input);
  // A small file is base64 text in the body, and is sent as that.
  if (!Object.values(made).flat().some(isUpload)) assert.deepEqual(parsed, made, id);
}

for (const { name, open } of sandboxTargets) {
  describe(`replays, ${name}`, () => {
    test("each row's recorded call is restored to its input, or refused with a reason", async (t) => {
      const target = await open();
      const transport = transports.host();
      t.after(async () => {
        await transport.close();
        await target.close();
      });
      for (const row of rowsFor(target)) {
        const { input, called } = await callRecorded(target, transport, row);
        assertRestored(row, input, called);
      }
    });
  });
}
