import { type Dialect, dialectSeen } from "./dialect.ts";
import type { Cost, Usage } from "./endpoints/chatReply.ts";
import type { CallPrice } from "./price.ts";

/** What the headers of one reply say of money (spec E3; wire.md section 2). */
export interface ChargeHeaders {
  readonly credits?: number;
  readonly usd?: number;
  /** Served from the idempotency cache: the credits shown were charged before, not now. */
  readonly replayed: boolean;
  /** What the key could spend before this request. */
  readonly balanceUsd?: number;
  readonly balanceDiem?: number;
}

/** The names that came say whose they are, before the client has learnt it; `dialect` where they don't. */
export function readCharge(headers: Headers, dialect: Dialect): ChargeHeaders {
  const number = (name: string) => {
    const text = headers.get(name);
    const value = text === null || text.trim() === "" ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : undefined;
  };
  const { rpcHeaderPrefix: rpc, balanceHeaderPrefix: balance } = dialectSeen(headers, undefined) ?? dialect;
  const read = {
    credits: number(`${rpc}RPC-Credits`),
    usd: number(`${rpc}RPC-Cost-USD`),
    balanceUsd: balance ? number(`${balance}usd`) : undefined,
    balanceDiem: balance ? number(`${balance}diem`) : undefined,
  };
  const known = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  return { ...known, replayed: headers.get("idempotent-replayed") === "true" };
}

/** What a reply tells of its own price; `money/ledger.ts` turns it into an amount. */
export type ChargeFact =
  | { readonly by: "request"; readonly usd: number }
  | { readonly by: "credits"; readonly credits?: number; readonly usd?: number; readonly replayed: boolean }
  | { readonly by: "tokens"; readonly usage?: Usage; readonly cost?: Cost }
  | { readonly by: "characters"; readonly characters: number }
  | {
      readonly by: "image";
      readonly resolution?: string;
      readonly quality?: string;
      readonly inputs: number;
    };

/** A call has been answered that costs money. A stream tells once it has ended, with what it learnt until then. */
export interface Charged {
  readonly type: "charged";
  readonly endpoint: string;
  readonly model?: string;
  readonly requestId?: string;
  readonly fact: ChargeFact;
  /** What `admit` reserved for it. */
  readonly hold?: string;
  /** The asker, as the call's options name it. */
  readonly caller?: string;
}

/** A call for which `admit` reserved money has ended without a word of its price. */
export interface Uncharged {
  readonly type: "uncharged";
  readonly endpoint: string;
  readonly model?: string;
  readonly requestId?: string;
  readonly hold: string;
  readonly caller?: string;
  /** The request may have been worked on: the bill may still hold it. */
  readonly mayBeBilled: boolean;
}

/** The members that have a text. */
export function knownMembers<Name extends string>(
  members: Readonly<Record<Name, string | undefined>>,
): { readonly [Known in Name]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, text]) => text)) as {
    readonly [Known in Name]?: string;
  };
}

type Members = Readonly<Record<string, unknown>>;

/** The fact of an answered call; undefined where the row costs nothing. `reply` is what the row read, if it read it. */
export function chargeFact(
  price: CallPrice,
  input: Members,
  charge: ChargeHeaders | undefined,
  reply: unknown,
): ChargeFact | undefined {
  switch (price.by) {
    case "nothing":
      return undefined;
    case "request":
      return { by: "request", usd: price.usd };
    case "credits": {
      const { credits, usd, replayed = false } = charge ?? {};
      return {
        by: "credits",
        replayed,
        ...(credits === undefined ? {} : { credits }),
        ...(usd === undefined ? {} : { usd }),
      };
    }
    case "tokens": {
      const { usage, cost } = tokensIn(reply);
      return { by: "tokens", ...(usage ? { usage } : {}), ...(cost ? { cost } : {}) };
    }
    case "characters":
      return { by: "characters", characters: [...text(input.input)].length };
    case "image":
      return {
        by: "image",
        inputs: Array.isArray(input.images) ? input.images.length : 1,
        ...(input.resolution === undefined ? {} : { resolution: text(input.resolution) }),
        ...(input.quality === undefined ? {} : { quality: text(input.quality) }),
      };
  }
}

/** The members of a chat reply or chunk that tell its price. */
function tokensIn(reply: unknown): {
  readonly usage?: Usage | undefined;
  readonly cost?: Cost | undefined;
} {
  if (typeof reply !== "object" || reply === null) return {};
  const { usage, cost } = reply as { usage?: Usage | null; cost?: Cost | null };
  return { usage: usage ?? undefined, cost: cost ?? undefined };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
