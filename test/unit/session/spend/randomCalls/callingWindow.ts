// A window in a process of its own: makes the calls that its parent, who is the service as well, sends to it.
import type { SpendPlace } from "../../../../../src/session/spend/spend.ts";
import { openWindow } from "../../budgetWindow.ts";
import { isRefused, noService } from "../../spendGateKit.ts";
import { type Billed, budgets, type CallSpec, connections, models, now, paidCallOf } from "./callSpec.ts";

/** To the window: a call to make, or the answer of the service to one. */
export type ToWindow =
  | { readonly type: "call"; readonly id: number; readonly spec: CallSpec }
  | { readonly type: "answer"; readonly id: number; readonly billed: Billed };

/** From the window. `sent` is a request to the service. */
export type FromWindow =
  | { readonly type: "ready" }
  | { readonly type: "sent" | "refused" | "ended"; readonly id: number }
  | { readonly type: "failed"; readonly id: number; readonly error: string };

const [folder = ""] = process.argv.slice(2);
const placeOf = async (resource: string | undefined): Promise<SpendPlace> => {
  const { folder: name, branch } = JSON.parse(resource ?? "{}") as Record<string, string>;
  return { ...(name ? { folder: name } : {}), ...(branch ? { branch } : {}) };
};
const { gate, spend, prices } = openWindow({ ...noService, folder, now, budgets, models, placeOf });
const answers = new Map<number, (billed: Billed) => void>();
const tell = (message: FromWindow) => process.send?.(message);

async function call(id: number, spec: CallSpec): Promise<void> {
  const connection = connections[spec.connection];
  if (!connection) throw new Error(`no connection ${spec.connection}`);
  const asked = paidCallOf(spec);
  let hold: string | undefined;
  try {
    hold = await gate.admit(connection, asked, prices, undefined);
  } catch (error) {
    if (!isRefused(error)) throw error;
    tell({ type: "refused", id });
    return;
  }
  const answered = new Promise<Billed>((resolve) => {
    answers.set(id, resolve);
  });
  tell({ type: "sent", id });
  const { fact, model } = await answered;
  const { endpoint, source, keyEnding } = asked;
  const about = {
    endpoint,
    ...(source ? { source } : {}),
    ...(keyEnding === undefined ? {} : { keyEnding }),
    ...(model === undefined ? {} : { model }),
    ...(hold === undefined ? {} : { hold }),
  };
  if (spec.end === "answered") spend.record(connection, { type: "charged", fact, ...about }, prices);
  else if (hold !== undefined)
    spend.record(
      connection,
      { type: "uncharged", mayBeBilled: spec.end !== "not billed", ...about, hold },
      prices,
    );
  await spend.totals(connection);
  tell({ type: "ended", id });
}

process.on("message", (message: ToWindow) => {
  if (message.type === "answer") answers.get(message.id)?.(message.billed);
  else
    call(message.id, message.spec).catch((error: unknown) =>
      tell({ type: "failed", id: message.id, error: String(error) }),
    );
});
process.once("disconnect", () => process.exit());
tell({ type: "ready" });
