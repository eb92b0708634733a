import { type Dialect, type DialectId, dialects } from "../../api/dialect/dialect.ts";
import type { Endpoint } from "../../api/endpoint.ts";
import { Refusal } from "../refusal.ts";
import type { State } from "../state/state.ts";
import type { Key } from "./keyring.ts";

/** Headers with credentials, in lower case. */
type CredentialHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The caller's key or wallet. Rejects with a Refusal if the row does not permit it (spec, Authentication). */
export async function authenticate(
  row: Endpoint,
  headers: CredentialHeaders,
  { dialect, keys, wallets }: Pick<State, "dialect" | "keys" | "wallets">,
): Promise<Key | undefined> {
  const authorization = headers.authorization?.toString();
  const secret = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  const key = secret === undefined ? undefined : keys.find(secret);
  if (row.auth === "public") return key;
  if (authorization === undefined) {
    const signIn = row.wallet ? walletSignIn(headers, dialect) : undefined;
    if (signIn === undefined) throw noCredential(row, dialect.id);
    const caller = await wallets.signIn(signIn, headers.host?.toString() ?? "");
    if (row.price.by !== "nothing") wallets.check(caller.id);
    return caller;
  }
  if (row.auth === "wallet") throw new Refusal(401, "Invalid Sign-in-with-x signature");
  if (!key) throw new Refusal(401, "Authentication failed");
  if (row.auth === "admin" && key.type !== "ADMIN") throw new Refusal(401, "Admin API key required");
  return key;
}

/** The dialect's header. venice also accepts the old name (wire.md section 2). */
function walletSignIn(headers: CredentialHeaders, { walletHeader }: Dialect): string | undefined {
  const names = [walletHeader, dialects.standard.walletHeader].map((name) => name.toLowerCase());
  return names.map((name) => headers[name]).find((value) => typeof value === "string");
}

/** On venice a paid call without a credential gets an x402 offer (wire.md section 8). */
function noCredential(row: Endpoint, dialect: DialectId): Refusal {
  if (dialect === "standard" || row.price.by === "nothing") return new Refusal(401, "Authentication failed");
  const offer = {
    scheme: "exact",
    network: "base",
    asset: "USDC",
    amount: "5000000",
    payTo: `0x${"0".repeat(40)}`,
  };
  const members = { x402Version: 1, accepts: [offer], authOptions: ["bearer", "x402"] };
  return new Refusal(402, "Payment required: send an API key or a wallet sign-in", { members });
}
