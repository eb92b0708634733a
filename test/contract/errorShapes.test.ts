// Every shape of error body (wire.md section 8) for a row of every class results in an error of one kind with the
// message of the service.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { ApiError, ErrorKind } from "../../src/api/errors/errors.ts";
import type { ErrorShape } from "../serviceKit/errorShapes.ts";
import { rowSuites } from "./rows/rows.ts";
import { callOf, readToEnd } from "./suite/callOf.ts";
import { apiOf, failureOf, sampleOf, transports } from "./suite/suite.ts";
import { type SandboxTarget, sandboxTargets } from "./suite/target.ts";

/** A row of each class and of each kind of reply. */
const ids = [
  "models.list",
  "keys.read",
  "chat.complete",
  "chat.stream",
  "rpc.call",
  "audio.speech",
  "augment.parseText",
];

interface Expected {
  readonly status: number;
  readonly kind: ErrorKind;
  /** Differences from the default expectation. */
  readonly message?: string;
  readonly check?: (error: ApiError) => void;
}

const sentence = "The service says why, in one sentence";

const refused = { status: 400, kind: "invalid-request" } as const;
const namesModel = ({ details }: ApiError) => assert.equal(details.issues?.[0]?.field, "model");
const wallet = ({ details }: ApiError) => assert.equal(details.source, "wallet");

const shapes: Readonly<Record<ErrorShape, Expected>> = {
  text: refused,
  plain: refused,
  code: { status: 413, kind: "too-large" },
  tree: { ...refused, check: namesModel },
  issues: { ...refused, message: `model: ${sentence}`, check: namesModel },
  // Its code is more specific than its status.
  nested: { status: 400, kind: "not-found", check: namesModel },
  // The short code comes first, the long one is in the body that the error stores.
  details: {
    ...refused,
    message: "Request failed",
    check: ({ details }) => assert.ok(details.raw?.includes(sentence)),
  },
  requestId: { status: 504, kind: "unavailable", check: ({ details }) => assert.ok(details.requestId) },
  suggestedPrompt: {
    status: 422,
    kind: "refused-content",
    check: ({ details }) => assert.equal(details.suggestedPrompt, "a calm lake at dawn"),
  },
  refunded: { status: 422, kind: "refused-content" },
  customMessage: { status: 429, kind: "rate-limited" },
  nestedCustomMessage: { status: 429, kind: "rate-limited" },
  wallet: { status: 402, kind: "payment-required", check: wallet },
  topUp: {
    status: 402,
    kind: "payment-required",
    check(error) {
      wallet(error);
      assert.equal(error.details.topUp?.steps?.length, 3);
    },
  },
  html: { status: 403, kind: "forbidden", message: `HTML page "${sentence}"` },
};

for (const { name, dialect, open } of sandboxTargets) {
  describe(`error shapes, ${name}`, () => {
    let target: SandboxTarget;
    const transport = transports.host();
    before(async () => {
      target = await open();
    });
    beforeEach(() => target.settle());
    after(async () => {
      await target.close();
      await transport.close();
    });

    for (const id of ids) {
      const suite = rowSuites[id] ?? assert.fail(id);
      if (suite.only && suite.only !== dialect) continue;
      for (const [shape, { status, kind, message = sentence, check }] of Object.entries(shapes)) {
        test(`${id}: ${shape} under ${status} is ${kind}`, async () => {
          const input = await sampleOf(suite, target);
          const headers: Record<string, string> = status === 429 ? { "retry-after": "600" } : {};
          const fault = {
            kind: "status",
            status,
            shape: shape as ErrorShape,
            message: sentence,
            headers,
          } as const;
          target.sandbox.setFaults([fault]);
          const error = await failureOf(callOf(apiOf(target, transport), id)(input).then(readToEnd));
          assert.equal(error.kind, kind);
          assert.equal(error.message, message);
          assert.equal(error.details.status, status);
          assert.equal(error.details.endpoint, id);
          assert.ok((error.details.raw?.length ?? 0) > 0);
          check?.(error);
        });
      }
    }
  });
}
