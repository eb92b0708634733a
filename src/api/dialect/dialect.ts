import type { Members } from "../../shared/members.ts";
import { absent, type DialectRules, standardRules, veniceRules } from "./dialectRules.ts";

/** The two dialects of the service (spec.md, wire.md section 2). All names that differ are in this table. */
export interface Dialect {
  readonly id: DialectId;
  /** The chat member with the switches of the service, in requests and replies. */
  readonly parametersMember: string;
  /** Prefix of the RPC cost headers, before `RPC-Credits` and `RPC-Cost-USD`. */
  readonly rpcHeaderPrefix: string;
  /** The header of a wallet sign-in (spec, Authentication 2). */
  readonly walletHeader: string;
  /** Prefix of the headers with the key's balance before a request; undefined if the dialect has none. */
  readonly balanceHeaderPrefix: string | undefined;
  /** Values of request members that are spelled differently: member → our value → value on the wire. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Rules that are stricter than the schemas of the rows. */
  readonly rules: DialectRules;
  /** USD per RPC credit: the lowest and highest figure that the service states (spec E3, billing rule 4). */
  readonly usdPerCredit: readonly [low: number, high: number];
  /** Routes that no service of the other dialect has (wire.md section 6). */
  readonly ownRoutes: readonly string[];
  /** Routes that its service has retired (`routeOf`) → path of the successor. */
  readonly retired: Readonly<Record<string, string>>;
}

export type DialectId = "standard" | "venice";
export type DialectChoice = DialectId | "auto";

export const dialects: Readonly<Record<DialectId, Dialect>> = {
  standard: {
    id: "standard",
    parametersMember: "service_parameters",
    rpcHeaderPrefix: "X-Service-",
    walletHeader: "X-Sign-In-With-X",
    balanceHeaderPrefix: undefined,
    values: {},
    rules: standardRules,
    usdPerCredit: [6.25e-7, 7e-7],
    ownRoutes: [],
    retired: {},
  },
  venice: {
    id: "venice",
    parametersMember: "venice_parameters",
    rpcHeaderPrefix: "X-Venice-",
    walletHeader: "SIGN-IN-WITH-X",
    balanceHeaderPrefix: "x-venice-balance-",
    values: { search_provider: { provider_a: "brave", provider_b: "google" } },
    rules: veniceRules,
    usdPerCredit: [7e-7, 7e-7],
    ownRoutes: [
      ...["GET /billing/usage-history", "GET /billing/balance", "GET /api_keys/rate_limits/log"],
      ...["GET /x402/balance/{address}", "GET /x402/transactions/{address}"],
    ],
    retired: { "GET /billing/usage": "/billing/usage-history" },
  },
};

/** Services that are listed by name when the user chooses one. Their address determines the dialect. */
export const knownServices: readonly { readonly name: string; readonly baseUrl: string }[] = [
  { name: "Venice", baseUrl: "https://api.venice.ai" },
];

/** The name in our schemas, in both dialects. */
const parametersMember = dialects.standard.parametersMember;
const otherSpellings = Object.values(dialects)
  .map((dialect) => dialect.parametersMember)
  .filter((spelled) => spelled !== parametersMember);

/** The dialect of a base URL if the user chose none: the public service has its own, all others use the spec's. */
export function dialectOf(choice: DialectChoice, baseUrl: string): Dialect {
  if (choice !== "auto") return dialects[choice];
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  return /(^|\.)venice\.ai$/.test(host) ? dialects.venice : dialects.standard;
}

/** True if the route does not have the member in this dialect, whatever its value. */
export function isAbsent({ rules }: Dialect, route: string, member: string): boolean {
  const shape: Readonly<Record<string, unknown>> = rules[route]?.shape ?? {};
  return Object.hasOwn(shape, member) && shape[member] === absent;
}

/** Request members with the names and values of the dialect. */
export function toWire(dialect: Dialect, members: Members): Members {
  const named = renamed(members, parametersMember, dialect.parametersMember) as Members;
  const spelled = Object.entries(dialect.values).flatMap(([member, words]) => {
    const word = named[member];
    return typeof word === "string" && words[word] !== undefined ? [[member, words[word]] as const] : [];
  });
  return spelled.length === 0 ? named : { ...named, ...Object.fromEntries(spelled) };
}

/** The inverse of `toWire`. */
export function fromWireInput(dialect: Dialect, wire: Members): Members {
  const members = renamed(wire, dialect.parametersMember, parametersMember) as Members;
  const own = Object.entries(dialect.values).flatMap(([member, words]) => {
    const [word] = Object.entries(words).find(([, spelled]) => spelled === members[member]) ?? [];
    return word === undefined ? [] : [[member, word] as const];
  });
  return { ...members, ...Object.fromEntries(own) };
}

/** A reply with member names as in our schemas. Both spellings are read from any service. */
export function fromWire(reply: unknown): unknown {
  if (typeof reply !== "object" || reply === null) return reply;
  for (const spelled of otherSpellings) {
    if (spelled in reply) return renamed(reply, spelled, parametersMember);
  }
  return reply;
}

function renamed(value: object, from: string, to: string): object {
  if (from === to || !(from in value)) return value;
  const { [from]: moved, ...rest } = value as Record<string, unknown>;
  return { ...rest, [to]: moved };
}
