import type { Balances } from "../../billing/account.ts";
import type { ModelRecord } from "../../catalog/modelRecord.ts";
import type { Key } from "../../keys/keyring.ts";
import { type RateRule, textTiers } from "../../limits/rates.ts";
import type { SandboxService } from "../../service.ts";
import type { State } from "../../state/state.ts";
import type { Route } from "../routes.ts";
import { bodyMembers, type RequestBody } from "./readBody.ts";

/** The limits and the account that a request counts towards. */
export interface CallerContext {
  /** The rate limit's key: the caller with a model or a route. */
  readonly scope: string;
  /** Undefined if the route has its own limit. */
  readonly limit: RateRule | undefined;
  /** The failure budget's key: the caller, on venice with model and user (wire.md section 2). */
  readonly failures: string;
  /** The caller's balances before a paid request. */
  readonly balances: Balances | undefined;
  /** The requested model, if the route takes one. */
  readonly model: ModelRecord | undefined;
  /** The model runs on this machine, so the request is free. */
  readonly isFree: boolean;
}

/** The limit of requests without a model. */
const generalLimit = textTiers.XS;

/** A caller that is not authenticated yet. */
export const anonymousCaller: CallerContext = {
  scope: "anonymous",
  limit: generalLimit,
  failures: "anonymous",
  balances: undefined,
  model: undefined,
  isFree: false,
};

export function callerContextOf(
  { billing, catalog, dialect, localModels, wallets }: State,
  { modelType, limit }: SandboxService,
  route: Route,
  { key, body }: { readonly key: Key | undefined; readonly body: RequestBody },
): CallerContext {
  const caller = key?.id ?? "anonymous";
  const named = modelOfBody(body);
  const model = modelType === undefined ? undefined : catalog.resolve(modelType, named);
  const failures = `${caller} ${named ?? ""} ${textIn(body, "user") ?? ""}`;
  return {
    scope: `${caller} ${model?.id ?? route.id}`,
    limit: limit === "own" ? undefined : (limit ?? (model ? catalog.limitOf(model) : generalLimit)),
    failures: dialect.id === "venice" ? failures : caller,
    balances: key && isPaid(route) && !wallets.isWallet(key.id) ? billing.account.balances() : undefined,
    model,
    isFree: modelType === "text" && localModels.serverOf(named ?? "") !== undefined,
  };
}

export function isPaid({ row }: Route): boolean {
  return row.price.by !== "nothing";
}

/** The requested model without its feature suffix. */
export function modelOfBody(body: RequestBody): string | undefined {
  return (textIn(body, "model") ?? textIn(body, "modelId"))?.split(":")[0];
}

function textIn(body: RequestBody, name: string): string | undefined {
  const value = bodyMembers(body)[name];
  return typeof value === "string" ? value : undefined;
}
