/** The two dialects of the service (spec.md, wire.md section 2). Every name that differs stands in this table alone. */
export interface Dialect {
  readonly id: DialectId;
  /** The chat member that carries the service's own switches, in requests and replies. */
  readonly parametersMember: string;
  /** Prefix of the RPC cost headers, before `RPC-Credits` and `RPC-Cost-USD`. */
  readonly rpcHeaderPrefix: string;
  /** The header of a wallet sign-in (spec, Authentication 2). */
  readonly walletHeader: string;
}

export type DialectId = "standard" | "venice";
export type DialectChoice = DialectId | "auto";

export const dialects: Readonly<Record<DialectId, Dialect>> = {
  standard: {
    id: "standard",
    parametersMember: "service_parameters",
    rpcHeaderPrefix: "X-Service-",
    walletHeader: "X-Sign-In-With-X",
  },
  venice: {
    id: "venice",
    parametersMember: "venice_parameters",
    rpcHeaderPrefix: "X-Venice-",
    walletHeader: "SIGN-IN-WITH-X",
  },
};

/** The name that our schemas use, whatever the wire says. */
const parametersMember = dialects.standard.parametersMember;

/** The dialect that a base URL speaks when nobody chose one: the public service has its own, all others the spec's. */
export function dialectOf(choice: DialectChoice, baseUrl: string): Dialect {
  if (choice !== "auto") return dialects[choice];
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  return /(^|\.)venice\.ai$/.test(host) ? dialects.venice : dialects.standard;
}

/** A request body with its members named as the dialect names them. */
export function toWire(dialect: Dialect, body: object): object {
  return renamed(body, parametersMember, dialect.parametersMember);
}

/** A reply with its members named as our schemas name them. Either spelling is read, whichever service answers. */
export function fromWire(reply: unknown): unknown {
  if (typeof reply !== "object" || reply === null) return reply;
  for (const { parametersMember: spelled } of Object.values(dialects)) {
    if (spelled !== parametersMember && spelled in reply) return renamed(reply, spelled, parametersMember);
  }
  return reply;
}

function renamed(value: object, from: string, to: string): object {
  if (from === to || !(from in value)) return value;
  const { [from]: moved, ...rest } = value as Record<string, unknown>;
  return { ...rest, [to]: moved };
}
