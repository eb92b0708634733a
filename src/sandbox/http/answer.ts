import { nanoText } from "../billing/decimal.ts";
import { errorBody } from "../errorBody.ts";
import { budgetHeaders, limitHeaders } from "../limits/limitHeaders.ts";
import { Refusal } from "../refusal.ts";
import type { State } from "../state.ts";
import type { Admission, RequestHead, ServerContext } from "./admit.ts";
import type { RequestBody } from "./readBody.ts";
import { checkDialect, checkRequestInput, readRequestInput } from "./readInput.ts";
import type { Reply } from "./reply.ts";
import { anybody, isPaid, type Visit, visitOf } from "./visit.ts";

/** A request that has arrived whole, or was refused before its body. */
export interface ArrivedRequest extends RequestHead {
  readonly admission: Admission | Refusal;
  readonly query: URLSearchParams;
  readonly body: RequestBody;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** The reply to a request. Throws the signal's reason if the client closes the connection. */
export async function answer(context: ServerContext, request: ArrivedRequest): Promise<Reply> {
  const { state } = context;
  let visit = anybody;
  const reply = await handled(context, request, (known) => {
    visit = known;
  }).catch((error: unknown) => {
    request.signal.throwIfAborted();
    return refused(state, error, request.requestId);
  });
  state.failures.count(visit.failures, reply.status);
  return {
    ...reply,
    headers: { ...commonHeaders(state, visit, request.requestId, reply), ...reply.headers },
  };
}

/** `recognise` hears whose windows count this request as soon as that is known; a refusal takes it as it is then. */
async function handled(
  { state }: ServerContext,
  request: ArrivedRequest,
  recognise: (visit: Visit) => void,
): Promise<Reply> {
  const { admission, headers, body, requestId, signal } = request;
  if (admission instanceof Refusal) throw admission;
  const { matched, service, key } = admission;
  const { route } = matched;
  const visit = visitOf(state, service, route, { key, body });
  recognise(visit);
  state.failures.check(visit.failures);
  const { members, streamed } = readRequestInput(request, matched, state.dialect);
  checkDialect(route, members, state.dialect);
  const input = service.checksItself ? members : checkRequestInput(route.row, members, state.dialect);
  const { scope, limit } = visit;
  if (limit) state.rates.take(scope, limit);
  if (key && isPaid(route)) {
    state.keys.checkModel(key.id, visit.model);
    if (!visit.isFree) {
      state.keys.checkLimit(key.id);
      state.billing.account.check();
    }
  }
  return service.handle(state, { route, input, streamed, key, scope, headers, requestId, signal });
}

function refused(state: State, error: unknown, requestId: string): Reply {
  const refusal = error instanceof Refusal ? error : new Refusal(500, `The sandbox failed: ${error}`);
  const { status, details } = refusal;
  const value = errorBody(state.dialect.id, refusal, requestId);
  return { status, headers: details.headers ?? {}, body: { kind: "json", value } };
}

/** Before the request; venice tells it, but for what is nothing (wire.md section 2). */
function balanceHeaders({ dialect }: State, balances: Visit["balances"]): Record<string, string> {
  const { balanceHeaderPrefix: prefix } = dialect;
  if (prefix === undefined || !balances) return {};
  const known = Object.entries(balances).filter(([, amount]) => amount > 0);
  return Object.fromEntries(known.map(([currency, amount]) => [prefix + currency, nanoText(amount)]));
}

function commonHeaders(state: State, visit: Visit, requestId: string, reply: Reply): Record<string, string> {
  const { dialect, rates, failures, now } = state;
  const { scope, limit } = visit;
  const limits = limit ? limitHeaders(dialect.id, rates.read(scope, limit), now()) : {};
  const ids = {
    "x-request-id": requestId,
    ...(dialect.id === "venice" ? { "cf-ray": requestId.slice(0, 16) } : {}),
  };
  const budget = reply.status < 400 ? {} : budgetHeaders(dialect.id, failures.left(visit.failures));
  return { ...ids, ...limits, ...budget, ...balanceHeaders(state, visit.balances) };
}
