import type { Dialect } from "./dialect.ts";

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

export function readCharge(headers: Headers, dialect: Dialect): ChargeHeaders {
  const number = (name: string) => {
    const text = headers.get(name);
    const value = text === null || text.trim() === "" ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : undefined;
  };
  const { rpcHeaderPrefix: rpc, balanceHeaderPrefix: balance } = dialect;
  const read = {
    credits: number(`${rpc}RPC-Credits`),
    usd: number(`${rpc}RPC-Cost-USD`),
    balanceUsd: balance ? number(`${balance}usd`) : undefined,
    balanceDiem: balance ? number(`${balance}diem`) : undefined,
  };
  const known = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  return { ...known, replayed: headers.get("idempotent-replayed") === "true" };
}
