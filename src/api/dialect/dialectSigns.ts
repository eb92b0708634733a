import { networks } from "../../shared/rpc/networks.ts";
import type { Model } from "../endpoints/models.ts";
import type { ApiError } from "../errors/errors.ts";
import { type Dialect, dialects } from "./dialect.ts";

/** The reply to one request. */
export interface Shown {
  /** As `routeOf` spells it. */
  readonly route: string;
  readonly headers: Headers | undefined;
  /** The parsed reply; undefined after a failure. */
  readonly value: unknown;
  readonly error: ApiError | undefined;
}

/**
 * The dialect that an answer shows; undefined if it could be of either. Nothing is asked to learn it: whatever is read
 * anyway tells, such as the list of models or the limits.
 */
export function dialectShown(shown: Shown): Dialect | undefined {
  const { route, headers, value, error } = shown;
  const named = headers && dialectSeen(headers);
  if (named) return named;
  const { venice } = dialects;
  const successor = venice.retired[route];
  if (error?.kind === "gone" && successor !== undefined && error.details.successor?.endsWith(successor))
    return venice;
  if (headers && hasMillisecondResets(headers)) return venice;
  if (value === undefined) return undefined;
  if (venice.ownRoutes.includes(route)) return venice;
  const isOfVenice = signs[route];
  return isOfVenice?.(value) ? venice : undefined;
}

/** The dialect that the names of the headers show. */
export function dialectSeen(headers: Headers): Dialect | undefined {
  const names = [...headers.keys()];
  if (names.some((name) => name.startsWith("x-venice-"))) return dialects.venice;
  return names.some((name) => name.startsWith("x-service-")) ? dialects.standard : undefined;
}

/** The dialect that a member of an answer shows by its name. `reply` is as it was sent. */
export function dialectSpelled(reply: unknown): Dialect | undefined {
  if (typeof reply !== "object" || reply === null) return undefined;
  return Object.values(dialects).find(({ parametersMember }) => parametersMember in reply);
}

/** Only venice states the resets of an account's windows in Unix milliseconds (wire.md section 2). */
function hasMillisecondResets(headers: Headers): boolean {
  return ["requests", "tokens"].some((what) => {
    const reset = headers.get(`x-ratelimit-reset-${what}`)?.trim() ?? "";
    return /^\d{13}(\.\d+)?$/.test(reset);
  });
}

const veniceNetworks = new Set(networks.flatMap(({ slug, veniceOnly }) => (veniceOnly ? [slug] : [])));

/** Signs of venice in replies of routes that both dialects have, by route. */
const signs: Readonly<Record<string, (value: unknown) => boolean>> = {
  "GET /models": (value) => {
    const { data } = value as { readonly data: readonly Model[] };
    return data.length > 0 && data.every(({ owned_by }) => owned_by === "venice.ai");
  },
  "GET /crypto/rpc/networks": (value) => {
    const { networks: slugs } = value as { readonly networks: readonly string[] };
    return slugs.some((slug) => veniceNetworks.has(slug));
  },
};

/** Members whose values differ between the dialects. */
const spelledMembers = Object.values(dialects).flatMap(({ values }) => Object.keys(values));

/**
 * The other dialect, if a body was refused because of its member name or spelling. The client validated the values
 * before sending, so only the spelling can be wrong. Only a 400 counts: nothing was processed or billed.
 */
export function dialectWanted(dialect: Dialect, error: ApiError | undefined): Dialect | undefined {
  if (error?.details.status !== 400) return undefined;
  const { issues = [] } = error.details;
  const isNamed = (name: string, message: string) => new RegExp(`\\b${name}\\b`).test(message);
  const isForeign =
    issues.length === 0
      ? [dialect.parametersMember, ...spelledMembers].some((name) => isNamed(name, error.message))
      : issues.some(
          ({ field, message }) =>
            spelledMembers.includes(field) || (field === "" && isNamed(dialect.parametersMember, message)),
        );
  return isForeign ? Object.values(dialects).find(({ id }) => id !== dialect.id) : undefined;
}
