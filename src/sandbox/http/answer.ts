import { setTimeout as delay } from "node:timers/promises";
import { authenticate, type Key } from "../auth.ts";
import { errorBody } from "../errorBody.ts";
import { faultyAnswer } from "../faults/answerFaults.ts";
import { type Faults, faultOf } from "../faults/faults.ts";
import { faultyReply } from "../faults/replyFaults.ts";
import { handlers } from "../handlers.ts";
import { budgetHeaders, limitHeaders } from "../limits/limitHeaders.ts";
import { type RateLimit, textTiers } from "../limits/rates.ts";
import { Refusal } from "../refusal.ts";
import type { State } from "../state.ts";
import { checkInput, peek, readMembers } from "./readInput.ts";
import type { Reply } from "./reply.ts";
import { matchRoute, type Route } from "./routes.ts";

/** A request that has arrived whole. */
export interface Arrived {
  readonly method: string;
  /** Below the API's root; undefined outside of it. */
  readonly path: string | undefined;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body if it is JSON. */
  readonly json: unknown;
  /** Set when the body was not kept. */
  readonly tooLarge: Refusal | undefined;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** Whose windows count a request. Known better the further it comes; a refusal takes it as it is then. */
interface Visit {
  /** Of the rate limit: the caller with a model, or with a route. */
  scope: string;
  limit: RateLimit;
  /** Of the failure budget: the caller, on venice with model and user (wire.md section 2). */
  failures: string;
}

/** The reply to a request, after the faults that strike it. Throws Drop, or the signal's reason. */
export async function answer(
  state: State,
  routes: readonly Route[],
  request: Arrived,
  faults: Faults,
): Promise<Reply> {
  const slow = faultOf(faults, "slow-headers");
  if (slow) await delay(slow.ms, undefined, { signal: request.signal });
  return faultyAnswer(faults) ?? faultyReply(await served(state, routes, request), faults);
}

/** Requests that name no model share the widest window. */
const generalLimit = textTiers.XS;

async function served(state: State, routes: readonly Route[], request: Arrived): Promise<Reply> {
  const visit: Visit = { scope: "anonymous", limit: generalLimit, failures: "anonymous" };
  const reply = await handled(state, routes, request, visit).catch((error: unknown) => {
    request.signal.throwIfAborted();
    return refused(state, error, request.requestId);
  });
  state.failures.count(visit.failures, reply.status);
  return {
    ...reply,
    headers: { ...commonHeaders(state, visit, request.requestId, reply), ...reply.headers },
  };
}

async function handled(
  state: State,
  routes: readonly Route[],
  request: Arrived,
  visit: Visit,
): Promise<Reply> {
  const { method, path, headers, json, signal } = request;
  if (path === undefined) throw new Refusal(404, "Nothing is served here: the API is below /api/v1");
  const matched = matchRoute(routes, method, path);
  const { route } = matched;
  const key = authenticate(route.row, headers.authorization?.toString(), state.keys, state.dialect.id);
  Object.assign(visit, visitOf(state, route, key, json));
  state.failures.check(visit.failures);
  if (request.tooLarge) throw request.tooLarge;
  const query = Object.fromEntries(request.query);
  const members = route.row.encode === "query" ? query : readMembers(String(headers["content-type"]), json);
  const checked = checkInput(members, matched, state.dialect);
  state.rates.take(visit.scope, visit.limit);
  const handler = handlers[route.id];
  if (!handler) throw new Refusal(501, `The sandbox does not serve ${route.id}`);
  return handler(state, { route, ...checked, key, signal, ...visit });
}

function visitOf(state: State, route: Route, key: Key | undefined, json: unknown): Visit {
  const caller = key?.id ?? "anonymous";
  const named = peek(json, "model") ?? "";
  const model = state.catalog.resolve(named.split(":")[0] ?? "");
  return {
    scope: `${caller} ${model?.id ?? route.id}`,
    limit: model ? state.catalog.limitOf(model) : generalLimit,
    failures: state.dialect.id === "venice" ? `${caller} ${named} ${peek(json, "user")}` : caller,
  };
}

function refused(state: State, error: unknown, requestId: string): Reply {
  const refusal = error instanceof Refusal ? error : new Refusal(500, `The sandbox failed: ${error}`);
  const { status, details } = refusal;
  const value = errorBody(state.dialect.id, refusal, requestId);
  return { status, headers: details.headers ?? {}, body: { kind: "json", value } };
}

function commonHeaders(state: State, visit: Visit, requestId: string, reply: Reply): Record<string, string> {
  const { dialect, rates, failures, now } = state;
  const limits = limitHeaders(dialect.id, rates.read(visit.scope, visit.limit), now());
  const ids = {
    "x-request-id": requestId,
    ...(dialect.id === "venice" ? { "cf-ray": requestId.slice(0, 16) } : {}),
  };
  const budget = reply.status < 400 ? {} : budgetHeaders(dialect.id, failures.left(visit.failures));
  return { ...ids, ...limits, ...budget };
}
