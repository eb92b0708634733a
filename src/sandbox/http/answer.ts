import { nanoText } from "../billing/ledger/decimal.ts";
import { budgetHeaders, limitHeaders } from "../limits/limitHeaders.ts";
import { Refusal } from "../refusal.ts";
import type { State } from "../state/state.ts";
import { errorBody } from "./errorBody.ts";
import type { Reply } from "./reply.ts";
import type { Admission, RequestHead, ServerContext } from "./request/admit.ts";
import { anonymousCaller, type CallerContext, callerContextOf, isPaid } from "./request/callerContext.ts";
import type { RequestBody } from "./request/readBody.ts";
import { checkDialect, checkRequestInput, readRequestInput } from "./request/readInput.ts";

/** A request whose body has arrived, or that was refused before. */
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
  let caller = anonymousCaller;
  const reply = await handled(context, request, (known) => {
    caller = known;
  }).catch((error: unknown) => {
    request.signal.throwIfAborted();
    return refused(state, error, request.requestId);
  });
  state.failures.count(caller.failures, reply.status);
  return {
    ...reply,
    headers: { ...commonHeaders(state, caller, request.requestId, reply), ...reply.headers },
  };
}

/** Calls `recognise` as soon as the limits of the request are known. A later refusal counts towards them. */
async function handled(
  { state }: ServerContext,
  request: ArrivedRequest,
  recognise: (caller: CallerContext) => void,
): Promise<Reply> {
  const { admission, headers, body, requestId, signal } = request;
  if (admission instanceof Refusal) throw admission;
  const { matched, service, key } = admission;
  const { route } = matched;
  const caller = callerContextOf(state, service, route, { key, body });
  recognise(caller);
  state.failures.check(caller.failures);
  const { members, streamed } = readRequestInput(request, matched, state.dialect);
  checkDialect(route, members, state.dialect);
  const input = service.checksItself ? members : checkRequestInput(route.row, members, state.dialect);
  const { scope, limit } = caller;
  if (limit) state.rates.take(scope, limit);
  if (key && isPaid(route)) {
    state.keys.checkModel(key.id, caller.model);
    if (!caller.isFree) {
      state.keys.checkLimit(key.id);
      // A wallet was checked at its sign-in.
      if (!state.wallets.isWallet(key.id)) state.billing.account.check();
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

/** venice sends the balances before the request, without empty ones (wire.md section 2). */
function balanceHeaders({ dialect }: State, balances: CallerContext["balances"]): Record<string, string> {
  const { balanceHeaderPrefix: prefix } = dialect;
  if (prefix === undefined || !balances) return {};
  const known = Object.entries(balances).filter(([, amount]) => amount > 0);
  return Object.fromEntries(known.map(([currency, amount]) => [prefix + currency, nanoText(amount)]));
}

function commonHeaders(
  state: State,
  caller: CallerContext,
  requestId: string,
  reply: Reply,
): Record<string, string> {
  const { dialect, rates, failures, now } = state;
  const { scope, limit } = caller;
  const limits = limit ? limitHeaders(dialect.id, rates.read(scope, limit), now()) : {};
  const ids = {
    "x-request-id": requestId,
    ...(dialect.id === "venice" ? { "cf-ray": requestId.slice(0, 16) } : {}),
  };
  const budget = reply.status < 400 ? {} : budgetHeaders(dialect.id, failures.left(caller.failures));
  return { ...ids, ...limits, ...budget, ...balanceHeaders(state, caller.balances) };
}
