// Each fault of the sandbox against each row: the error, the number of requests, and that a lost answer is charged
// once (wire.md section 8).
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { createApi } from "../../src/api/call/client.ts";
import type { Endpoint, Resend } from "../../src/api/endpoint.ts";
import { type ApiError, type ErrorKind, isApiError } from "../../src/api/errors/errors.ts";
import { table } from "../../src/api/table.ts";
import type { Fault } from "../serviceKit/faults.ts";
import { rowSuites } from "./rows/rows.ts";
import { callOf, readToEnd } from "./suite/callOf.ts";
import { nano } from "./suite/moneyKit.ts";
import { rows } from "./suite/rowsOfTable.ts";
import { walletSigner } from "./suite/signInKit.ts";
import { type Input, sampleOf, transports } from "./suite/suite.ts";
import { type SandboxTarget, sandboxTargets } from "./suite/target.ts";

/** Number of requests that reach the service, by class. */
type Sent = Readonly<Record<Resend, number>>;
const once: Sent = { reading: 1, unanswered: 1, keyed: 1, billed: 1 };
/** The service processed nothing. */
const always: Sent = { reading: 3, unanswered: 3, keyed: 3, billed: 3 };
/** Resent only before the first byte of an answer and if the call is free. */
const unlessBilled: Sent = { reading: 3, unanswered: 3, keyed: 3, billed: 1 };
/** The service may have processed it: resent only if that is free or has an idempotency key. */
const ifSafe: Sent = { reading: 3, unanswered: 1, keyed: 3, billed: 1 };

interface Case {
  readonly fault: Fault;
  readonly kind: ErrorKind;
  readonly sent: Sent;
}

const failing = (status: number, kind: ErrorKind, sent: Sent, headers = {}): Case => ({
  fault: { kind: "status", status, headers },
  kind,
  sent,
});

const cases: Readonly<Record<string, Case>> = {
  "400": failing(400, "invalid-request", once),
  "401": failing(401, "unauthorized", once),
  "402": failing(402, "payment-required", once),
  "403": failing(403, "forbidden", once),
  "404": failing(404, "not-found", once),
  "405": failing(405, "not-found", once),
  "410": failing(410, "gone", once),
  "413": failing(413, "too-large", once),
  "415": failing(415, "invalid-request", once),
  "422": failing(422, "refused-content", once),
  "429": failing(429, "rate-limited", always, { "retry-after": "0" }),
  "429 far off": failing(429, "rate-limited", once, { "retry-after": "600" }),
  "500": failing(500, "unavailable", unlessBilled),
  "502": failing(502, "unavailable", ifSafe),
  "503": failing(503, "unavailable", always),
  "504": failing(504, "unavailable", ifSafe),
  "an HTML page under 502": { fault: { kind: "html", status: 502 }, kind: "unavailable", sent: ifSafe },
  "an HTML page under 200": { fault: { kind: "html" }, kind: "malformed-response", sent: once },
  "a redirect": {
    fault: { kind: "redirect", location: "https://example.com/", status: 307 },
    kind: "network",
    sent: once,
  },
  "a connection closed before the answer": { fault: { kind: "drop" }, kind: "network", sent: ifSafe },
  "an answer after the timeout": {
    fault: { kind: "slow-headers", ms: 60_000 },
    kind: "timed-out",
    sent: ifSafe,
  },
};

/** Faults that the caller does not notice; the last two apply to text. */
const harmless: readonly Fault[] = [
  { kind: "headers", headers: { "x-no-such-header": "1" } },
  { kind: "drip", bytes: 997, ms: 0 },
  { kind: "split-utf8" },
  { kind: "crlf" },
];

const headersMs = 60_000;
/**
 * Shorter than the delay of the fault. On a busy machine a request that reaches the service later is not counted, or
 * counted with the next call: such a call is repeated with a longer timeout.
 */
const tooLateMs = [300, 3_000, 12_000];

for (const { name, dialect, open } of sandboxTargets) {
  describe(`faults, ${name}`, () => {
    let target: SandboxTarget;
    const transport = transports.undici();
    before(async () => {
      target = await open();
    });
    beforeEach(() => target.settle());
    after(async () => {
      await target.close();
      await transport.close();
    });

    /** Calls a row under a fault and returns the result. */
    async function callUnderFault(id: string, input: Input, fault: Fault, timeoutMs = headersMs) {
      const api = createApi(table, transport, {
        baseUrl: target.baseUrl,
        apiKey: async () => target.apiKey,
        dialect: target.dialect,
        timeouts: { headersMs: timeoutMs, idleMs: headersMs },
        random: () => 0,
        now: target.now,
        ...(rows.get(id)?.auth === "wallet" ? { walletSignIn: walletSigner(target) } : {}),
      });
      target.sandbox.setFaults([fault]);
      const before = target.sandbox.requestCount;
      const outcome = await callOf(
        api,
        id,
      )(input)
        .then(readToEnd)
        .then(
          (value) => ({ value, error: undefined }),
          (error: unknown) => ({ value: undefined, error }),
        );
      target.sandbox.setFaults([]);
      const { requests, requestCount } = target.sandbox;
      const arrived = requests.slice(requests.length - (requestCount - before));
      // The scraped page is on the sandbox, too.
      const sent = arrived.filter(({ path }) => path.startsWith("/api/")).length;
      return { ...outcome, sent };
    }

    for (const [id, row] of rows) {
      const suite = rowSuites[id] ?? assert.fail(id);
      if (suite.only && suite.only !== dialect) continue;
      describe(id, () => {
        for (const [what, { fault, kind: usual, sent }] of Object.entries(cases)) {
          const kind = what === "403" && row.auth === "admin" ? "admin-key-required" : usual;
          test(`${what}: ${kind}, after ${expected(row, what, sent)} request(s)`, async () => {
            const times = fault.kind === "slow-headers" ? tooLateMs : [headersMs];
            for (const timeoutMs of times) {
              const outcome = await callUnderFault(id, await sampleOf(suite, target), fault, timeoutMs);
              assert.equal(errorOf(outcome).kind, kind);
              if (outcome.sent === expected(row, what, sent)) return;
              if (timeoutMs === times.at(-1)) assert.equal(outcome.sent, expected(row, what, sent));
              await target.settle();
            }
          });
        }

        test("an interrupted answer is an error, and resent only if that is safe", async () => {
          const input = await sampleOf(suite, target);
          const outcome = await callUnderFault(id, input, { kind: "cut", bytes: 1 });
          assert.equal(errorOf(outcome).kind, "network");
          // Streamed events can't be taken back.
          const inPieces = row.decode === "events" || row.decode === "binary";
          assert.equal(outcome.sent, inPieces ? 1 : ifSafe[row.resend]);
        });

        test("harmless faults are not noticed", async () => {
          for (const fault of row.decode === "binary" ? harmless.slice(0, 2) : harmless) {
            await target.settle();
            const outcome = await callUnderFault(id, await sampleOf(suite, target), fault);
            assert.equal(outcome.error, undefined, `${fault.kind}: ${outcome.error}`);
            assert.equal(outcome.sent, 1);
          }
        });

        if (row.price.by === "nothing") return;
        test("an answer that is lost after the work was done is charged once", async () => {
          const price = await spentBy(
            async () =>
              void (await callUnderFault(id, await sampleOf(suite, target), harmless[0] ?? assert.fail())),
          );
          assert.ok(price > 0);
          for (const fault of [
            { kind: "drop", late: true },
            { kind: "status", status: 502, late: true },
          ] as const) {
            const input = await sampleOf(suite, target);
            const spent = await spentBy(async () => void errorOf(await callUnderFault(id, input, fault)));
            assert.equal(spent, price, fault.kind);
          }
        });
      });
    }

    /** The amount charged to the account, in nano-USD. */
    async function spentBy(work: () => Promise<void>): Promise<number> {
      await target.settle();
      const before = await readBalance();
      await work();
      await target.settle();
      return before - (await readBalance());
    }

    async function readBalance(): Promise<number> {
      const response = await fetch(`${target.baseUrl}/api_keys/rate_limits`, {
        headers: { authorization: `Bearer ${target.apiKey}` },
      });
      const { data } = (await response.json()) as { data: { balances: { USD: number; DIEM: number } } };
      return nano(data.balances.USD) + nano(data.balances.DIEM);
    }
  });
}

/** A row with two paths tries the second one if the first is not found (spec E11). */
function expected({ resend, otherPath, auth }: Endpoint, what: string, sent: Sent): number {
  // A refused sign-in is replaced once.
  if (auth === "wallet" && what === "401") return 2;
  return otherPath !== undefined && (what === "404" || what === "405") ? 2 : sent[resend];
}

function errorOf({ error, value }: { readonly error: unknown; readonly value: unknown }): ApiError {
  assert.ok(isApiError(error), `not an ApiError: ${error}, ${JSON.stringify(value)?.slice(0, 100)}`);
  return error;
}
