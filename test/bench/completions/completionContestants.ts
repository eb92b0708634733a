// Contestants of the benchmark `completion-latency`. Each asks for completions at places of real files, and returns the
// milliseconds of each between the end of the delay and the arrival of the request at a server of its own process.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallOptions } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import type { Model } from "../../../src/api/endpoints/models.ts";
import { createCompletionController } from "../../../src/completions/completionController.ts";
import {
  type CursorContext,
  readCursorContext,
  shapeAt,
} from "../../../src/completions/context/cursorContext.ts";
import type { Neighbour } from "../../../src/completions/context/excerpts.ts";
import { createHourCap } from "../../../src/completions/limits/hourCap.ts";
import type { Client } from "../../../src/session/session.ts";
import { lineOfEntry } from "../../../src/session/spend/spendLines.ts";
import { amountIn } from "../../../src/shared/money/amounts.ts";
import { completion } from "../../loopback/answers.ts";
import { root } from "../../tools/paths.ts";
import { connection, openWindow } from "../../unit/session/budgetWindow.ts";
import type { Prepare } from "../interleave.ts";

export interface CompletionPlaces {
  /** Completions of one round. */
  readonly count: number;
}

/** Requests of a completion, as they were sent. */
const bodies: string[] = [];
const model: Model = {
  id: "small",
  type: "text",
  model_spec: { name: "Small", pricing: { input: { usd: 0.2 }, output: { usd: 0.8 } } },
};
const source = { kind: "completion" } as const;

export const ours: Prepare<CompletionPlaces> = async ({ count }) => {
  const server = await startServer();
  const complete = createOurs(server.origin);
  const places = placesOf(count + 1);
  const open = neighbours();
  const one = async (at: CursorContext) => {
    const cancel = new AbortController();
    const startMs = performance.now();
    await complete({ at, isExplicit: true, tabSize: undefined, neighbours: () => open }, cancel.signal);
    return server.arrivedAtMs() - startMs;
  };
  // Loads the list of models and the ledger.
  await one(places[count] as CursorContext);
  let round = 0;
  return async () => {
    round++;
    const ms: number[] = [];
    // Another document in each round, so that no completion is known.
    for (const at of places.slice(0, count)) ms.push(await one({ ...at, uri: `${at.uri}?${round}` }));
    return ms;
  };
};

/** Posts the same bytes by the same `fetch`, without a client. */
export const raw: Prepare<CompletionPlaces> = async ({ count }) => {
  const recorder = await startServer();
  const complete = createOurs(recorder.origin);
  for (const at of placesOf(count))
    await complete({ at, isExplicit: true, tabSize: undefined, neighbours }, new AbortController().signal);
  const recorded = bodies.slice(0, count);
  const server = await startServer();
  const headers = { "content-type": "application/json", authorization: "Bearer key" };
  return async () => {
    const ms: number[] = [];
    for (const body of recorded) {
      const startMs = performance.now();
      await (await fetch(`${server.origin}/chat/completions`, { method: "POST", headers, body })).text();
      ms.push(server.arrivedAtMs() - startMs);
    }
    return ms;
  };
};

async function startServer() {
  let atMs = 0;
  const server = createServer(async (request, response) => {
    const isListing = request.url?.includes("/models") === true;
    if (!isListing) atMs = performance.now();
    const body = (await request.toArray()).join("");
    if (!isListing) bodies.push(body);
    const reply = isListing ? { object: "list", data: [model] } : completion("value;");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, arrivedAtMs: () => atMs };
}

/** The controller with its real client, gate and ledger. */
function createOurs(origin: string) {
  const folder = mkdtempSync(join(tmpdir(), "completion-latency-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeLedger(folder);
  const budgets = { dayUsd: 100, monthUsd: 1_000, hardStop: false };
  const { api, spend } = openWindow({ folder, baseUrl: origin, apiKey: "key", budgets, models: [model] });
  const named = {
    models: api.models,
    chat: {
      complete: (input: never, options: CallOptions) => api.chat.complete(input, { ...options, source }),
    },
  };
  const client = { connection, api: named, root: origin, dialect: dialects.standard } as unknown as Client;
  const { complete } = createCompletionController({
    client: async () => client,
    consentTo: () => "paid",
    active: () => connection,
    settings: () => ({ model: "", debounceMs: 0, hourUsd: 1_000 }),
    cap: createHourCap(async () => spend, Date.now),
    onState(state) {
      if (state.kind === "failed" || state.kind === "capped") throw new Error(JSON.stringify(state));
    },
    now: Date.now,
    wait: async () => {},
  });
  return complete;
}

/** A month with 5,000 calls, 1,000 of them completions of the last hour. */
function writeLedger(folder: string): void {
  const nowMs = Date.now();
  const lines = Array.from({ length: 5_000 }, (_, index) => {
    const isCompletion = index >= 4_000;
    const atMs = isCompletion ? nowMs - (5_000 - index) * 3_000 : nowMs - (5_000 - index) * 10_000;
    const entry = {
      id: `e-${index}`,
      atMs,
      endpoint: "chat.complete",
      model: "small",
      cost: amountIn("USD", 0.000035),
    };
    return lineOfEntry({ ...entry, ...(isCompletion ? { source } : {}) });
  });
  mkdirSync(join(folder, connection.id), { recursive: true });
  const month = new Date(nowMs).toISOString().slice(0, 7);
  writeFileSync(join(folder, connection.id, `${month}.jsonl`), `${lines.join("\n")}\n`);
}

const folder = join(root, "src/chat/host");
const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));

function textOf(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

function neighbours(): Neighbour[] {
  return files.slice(0, 12).map((name) => {
    const text = textOf(name);
    return { name, languageId: "typescript", version: 1, text: () => text };
  });
}

/** Ends of lines of the feature's files. */
function placesOf(count: number): CursorContext[] {
  const places = files.slice(12).flatMap((name) => {
    const lines = textOf(name).split("\n");
    const document = {
      uri: { scheme: "file", path: join(folder, name), toString: () => `file://${name}` },
      languageId: "typescript",
      lineCount: lines.length,
      lineAt: (line: number) => ({ text: lines[line] ?? "" }),
    };
    return lines.flatMap((text, line) => {
      const at = readCursorContext(document as never, { line, character: text.length }, name);
      return at && shapeAt(at) !== "none" ? [at] : [];
    });
  });
  const step = Math.floor(places.length / count);
  return Array.from({ length: count }, (_, index) => places[index * step] as CursorContext);
}
