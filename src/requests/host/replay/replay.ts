import { type BinaryReply, saveTo } from "../../../api/binary.ts";
import type { CallOptions, ClientEvent } from "../../../api/call/client.ts";
import type { Called } from "../../../api/call/record/callRecorder.ts";
import { mayBeBilled } from "../../../api/call/retry.ts";
import { ApiError, isApiError } from "../../../api/errors/errors.ts";
import { needsListing, upperUsd } from "../../../api/money/upperPrice.ts";
import { askModally } from "../../../platform/editor/dialogs/modal.ts";
import { withProgress } from "../../../platform/editor/dialogs/progress.ts";
import { originOf } from "../../../session/connection/baseUrl.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { Client, Session } from "../../../session/session.ts";
import { upperPricesOf } from "../../../session/spend/spendEntry.ts";
import { isMembers } from "../../../shared/members.ts";
import { formatUsd } from "../../../shared/money/formatUsd.ts";
import { type RequestHead, replayPrefix } from "../log/requestHead.ts";
import { priceText } from "../requestSearch.ts";
import { type ReplayInput, replayInput } from "./replayInput.ts";

type AnyCall = (input: unknown, options?: CallOptions) => Promise<unknown>;

/**
 * Sends a recorded call again after the user has agreed: with a new Idempotency-Key, through budgets and ledger. Resolves
 * to the record of the new call; undefined if the user refused. Throws ApiError if the call can't be made.
 */
export async function replay(
  session: Session,
  connection: Connection,
  head: RequestHead,
  called: Called,
): Promise<Called | undefined> {
  const restored = replayInput(called);
  if ("problem" in restored)
    throw new ApiError("invalid-request", restored.problem, { mayHaveArrived: false });
  const client = await session.clientOf(connection, { kind: "replay" });
  const button = "Send Again";
  const most = await upperPriceOf(client, called.endpoint, restored);
  const answer = await askModally(
    `Send ${head.method} ${head.path} again?`,
    { detail: questionText(connection, head, called, restored, most) },
    button,
  );
  if (answer !== button) return undefined;
  return withProgress(`Sending ${head.method} ${head.path}`, (signal) =>
    send(client, called, restored, signal),
  );
}

/** USD; undefined if nothing bounds it. */
async function upperPriceOf(client: Client, endpoint: string, { row, input }: ReplayInput) {
  const { price } = row;
  const listed = needsListing(price) ? await client.prices.models().catch(() => undefined) : new Map();
  if (!listed) return undefined;
  return upperUsd({ endpoint, price, input }, await upperPricesOf(client.prices, { price, input }, listed));
}

export function questionText(
  { name, kind, baseUrl }: Pick<Connection, "name" | "kind" | "baseUrl">,
  head: RequestHead,
  { charge, attempts, error }: Pick<Called, "charge" | "attempts" | "error">,
  { row }: Pick<ReplayInput, "row">,
  mostUsd: number | undefined,
): string {
  const isFree = row.price.by === "nothing";
  const price =
    mostUsd === undefined ? "no known limit" : `at most ${formatUsd(mostUsd, kind === "sandbox")}`;
  const billed = charge
    ? `The first time was billed${head.cost ? `: ${priceText(head)}` : ""}.`
    : mayBeUnbilled(row, attempts, error)
      ? "The first time was not billed."
      : "The first time may have been billed.";
  return [
    // Its address may be another one than the first time.
    `Connection: ${[name, originOf(baseUrl)].filter(Boolean).join(", ")}`,
    ...(head.model === undefined ? [] : [`Model: ${head.model}`]),
    isFree ? "It costs nothing." : `Price: ${price}. It is billed once more.`,
    ...(isFree ? [] : [billed]),
  ].join("\n");
}

function mayBeUnbilled(
  { resend }: ReplayInput["row"],
  attempts: Called["attempts"],
  error: Called["error"],
): boolean {
  if (!error) return false;
  return attempts.every(({ status, error: failed }) => {
    if (!failed || status === undefined) return false;
    return !mayBeBilled(resend, new ApiError(failed.kind, failed.message, { status }));
  });
}

async function send(
  { api }: Client,
  called: Called,
  { input, bodyText }: ReplayInput,
  signal: AbortSignal,
): Promise<Called> {
  const recorded = Promise.withResolvers<Called>();
  const observe = (event: ClientEvent) => event.type === "called" && recorded.resolve(event);
  const [resource = "", name = ""] = called.endpoint.split(".");
  const calls = api as Readonly<Record<string, Readonly<Record<string, AnyCall>>>>;
  const options = {
    signal,
    observe,
    caller: replayPrefix + called.id,
    once: true,
    isRecorded: true,
  } as const;
  const call = calls[resource]?.[name];
  if (!call) throw new ApiError("invalid-request", "This version does not know the call.", {});
  try {
    await readToEnd(await call(input, bodyText === undefined ? options : { ...options, bodyText }));
  } catch (error) {
    // A failed answer is shown beside the first one, as any other.
    if (!isApiError(error) || error.details.status === undefined) throw error;
  }
  return recorded.promise;
}

async function readToEnd(value: unknown): Promise<void> {
  if (!isMembers(value)) return;
  if (Symbol.asyncIterator in value) {
    for await (const _ of value as unknown as AsyncIterable<unknown>);
  } else if ("body" in value && "contentType" in value) {
    await saveTo(value as unknown as BinaryReply, () => {});
  }
}
