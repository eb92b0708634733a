import type { Endpoint } from "../endpoint.ts";
import type { ApiError } from "../errors/errors.ts";
import { knownMembers, type SpendSource, type Uncharged } from "../money/charge.ts";
import type { PaidCall } from "../money/upperPrice.ts";
import { modelOfInput } from "./attempt.ts";
import { mayBeBilled } from "./retry.ts";

/**
 * Runs before each call that costs money. If it throws an ApiError, the call throws it. Resolves to the id of a
 * reservation, which one event of type `charged` or `uncharged` carries after the call.
 */
export type Admit = (call: PaidCall, signal: AbortSignal | undefined) => Promise<string | undefined>;

/** Runs before a call with a reservation is sent after it has waited: budgets may have changed since. */
export type AdmitAgain = (call: PaidCall, hold: string) => Promise<void>;

/** A call before it is admitted. */
export interface AskedCall {
  readonly endpoint: string;
  readonly row: Endpoint;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
  readonly caller: string | undefined;
  readonly source: SpendSource | undefined;
  readonly keyEnding: string | undefined;
  readonly admit: Admit | undefined;
  readonly admitAgain: AdmitAgain | undefined;
  readonly report: (event: Uncharged) => void;
}

/** Sends attempts until the call is over. Reports each attempt that was sent and failed. */
export type SendTries = (admitted: Admitted, onFailure: (error: ApiError) => void) => Promise<unknown>;

export interface Admitted {
  readonly hold: string | undefined;
  /** Called after the call has waited. Throws the ApiError of a refusal. */
  readonly admitAgain: () => Promise<void>;
}

/** Sends a call after it is admitted. If it fails, reports the reservation as unbilled or as possibly billed. */
export async function sendAdmitted(call: AskedCall, send: SendTries): Promise<unknown> {
  const { endpoint, row, input, signal, caller, source, keyEnding, admit, report } = call;
  const isPaid = row.price.by !== "nothing";
  const ofSource = source ? { source } : {};
  const asked = { endpoint, price: row.price, input, ...ofSource, ...knownMembers({ keyEnding }) };
  const hold = isPaid ? await admit?.(asked, signal) : undefined;
  const admitAgain = async () => {
    if (hold !== undefined) await call.admitAgain?.(asked, hold);
  };
  const unsure: ApiError[] = [];
  const onFailure = (error: ApiError) => void (mayBeBilled(row.resend, error) && unsure.push(error));
  try {
    return await send({ hold, admitAgain }, onFailure);
  } catch (error) {
    const [model, requestId] = [modelOfInput(input), unsure.at(-1)?.details.requestId];
    const known = { ...knownMembers({ model, requestId, caller, keyEnding }), ...ofSource };
    if (hold !== undefined)
      report({ type: "uncharged", endpoint, hold, mayBeBilled: unsure.length > 0, ...known });
    throw error;
  }
}
