import { modelOfInput } from "./attempt.ts";
import { knownMembers, type Uncharged } from "./charge.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ApiError } from "./errors.ts";
import type { PaidCall } from "./money/upperPrice.ts";
import { mayBeBilled } from "./retry.ts";

/**
 * Stands before each call that costs money; what it throws, an ApiError, is what the call throws. Resolves to the name
 * of what it reserved, which comes back in one event of type `charged` or `uncharged` once the call is over.
 */
export type Admit = (call: PaidCall, signal: AbortSignal | undefined) => Promise<string | undefined>;

/** A call of a row, before it is known whether it may be sent. */
export interface AskedCall {
  readonly endpoint: string;
  readonly row: Endpoint;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
  readonly caller: string | undefined;
  readonly admit: Admit | undefined;
  readonly report: (event: Uncharged) => void;
}

/** Sends until the call is over, and tells of each try that was sent and failed. */
export type SendTries = (hold: string | undefined, onFailure: (error: ApiError) => void) => Promise<unknown>;

/**
 * Sends a call once it is admitted. Where it fails, what was reserved is told of: nothing was billed, or one of its
 * tries may have been worked on.
 */
export async function sendAdmitted(call: AskedCall, send: SendTries): Promise<unknown> {
  const { endpoint, row, input, signal, caller, admit, report } = call;
  const isPaid = row.price.by !== "nothing";
  const hold = isPaid ? await admit?.({ endpoint, price: row.price, input }, signal) : undefined;
  const unsure: ApiError[] = [];
  const onFailure = (error: ApiError) => void (mayBeBilled(row.resend, error) && unsure.push(error));
  try {
    return await send(hold, onFailure);
  } catch (error) {
    const [model, requestId] = [modelOfInput(input), unsure.at(-1)?.details.requestId];
    const known = knownMembers({ model, requestId, caller });
    if (hold !== undefined)
      report({ type: "uncharged", endpoint, hold, mayBeBilled: unsure.length > 0, ...known });
    throw error;
  }
}
