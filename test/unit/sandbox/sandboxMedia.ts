// Shared parts of the tests of the sandbox's pictures, speech, documents, pages and search.
import assert from "node:assert/strict";
import { uploadFromBytes } from "../../../src/api/call/body/upload.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { createBilling } from "../../../src/sandbox/billing/billing.ts";
import { nanoNumber } from "../../../src/sandbox/billing/ledger/decimal.ts";
import { type Catalog, createCatalog } from "../../../src/sandbox/catalog/catalog.ts";
import { createDocsLibrary } from "../../../src/sandbox/docs/library.ts";
import type { Reply } from "../../../src/sandbox/http/reply.ts";
import { createMedia, type MediaHandler, type MediaState } from "../../../src/sandbox/media.ts";
import { Refusal } from "../../../src/sandbox/refusal.ts";
import { speechModels } from "../../../src/sandbox/speech/models.ts";
import { createIds } from "../../../src/sandbox/state/ids.ts";

/** A signal that never fires. */
export const patient = new AbortController().signal;

/** State for the handlers, with a separate ledger; speech is tones unless the program is named. */
export function mediaState(dialect: "standard" | "venice" = "standard"): MediaState {
  const catalog = catalogWithSpeech();
  const now = () => 1_790_000_000_000;
  const balances = { usd: 100, diemPerDay: 0 };
  const billing = createBilling({ dialect, now, balances, describeKey: (id) => id });
  const library = createDocsLibrary([], () => "http://127.0.0.1");
  const media = createMedia({ dialect, library, ids: createIds(1), speechProgram: undefined });
  return { dialect: dialects[dialect], catalog, now, billing, media };
}

function catalogWithSpeech(): Catalog {
  const catalog = createCatalog();
  const others = catalog.models.filter(({ type }) => type !== "tts");
  const facts = { object: "model", owned_by: "sandbox", type: "tts", created: 0 } as const;
  const speech = speechModels.map(({ id, spec }) => ({ ...facts, id, model_spec: spec }));
  return { ...catalog, models: [...others, ...speech] };
}

export async function call(
  handler: MediaHandler,
  state: MediaState,
  input: unknown,
  signal: AbortSignal = patient,
): Promise<Reply> {
  return handler(state, { input, signal, key: undefined, requestId: "request" });
}

/** All charges so far: product, units and USD of each line, oldest first. */
export function charged({ billing }: MediaState): [string, number, number][] {
  const { entries } = billing.usage({ sortOrder: "asc" });
  return entries.map(({ product, units, amount }) => [product.model, units, -nanoNumber(amount)]);
}

/** The complete body of a reply that is a file. */
export async function bytesIn({ body }: Reply): Promise<Buffer> {
  assert.equal(body.kind, "bytes");
  const pieces: Uint8Array[] = [];
  if (body.kind === "bytes") for await (const piece of body.pieces) pieces.push(piece);
  return Buffer.concat(pieces);
}

export function jsonIn({ body }: Reply): Record<string, unknown> {
  assert.equal(body.kind, "json");
  return body.kind === "json" ? (body.value as Record<string, unknown>) : {};
}

export function part(bytes: Uint8Array, name = "file.bin", type = "application/octet-stream") {
  return uploadFromBytes(name, type, bytes);
}

/** The refusal of a call. */
export async function refusalOf(attempt: () => unknown): Promise<Refusal> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: "nothing was refused" });
}

/** Asserts that a 400 names this field. */
export async function assertRefused(attempt: () => unknown, field: string, rule?: RegExp): Promise<void> {
  const { status, message, details } = await refusalOf(attempt);
  const fields = details.issues?.map(({ path, message: said }) => `${path.join(".")}: ${said}`) ?? [];
  const about = fields.find((line) => line.startsWith(`${field}: `));
  assert.ok(
    status === 400 && about !== undefined,
    `400 for ${field} expected, got ${status} ${message} ${fields}`,
  );
  if (rule) assert.match(about ?? "", rule);
}
