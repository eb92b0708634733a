import { privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import type { ClientOptions } from "../../../src/api/call/client.ts";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { apiOf, type Input } from "./suite.ts";
import type { Target } from "./target.ts";
import { toWireRequest } from "./toWireRequest.ts";
import type { WireRequest } from "./wire.ts";

/** The first of the well-known keys of development nodes: nobody keeps money there. */
export const testWalletKey = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
export const testWallet = privateKeyToAccount(testWalletKey);

/** Members of a sign-in that differ from the good ones. Times are ISO 8601, or any text. */
export interface SignInFields {
  readonly domain?: string;
  readonly address?: string;
  readonly chainId?: number;
  readonly nonce?: string;
  readonly issuedAt?: string;
  readonly expirationTime?: string;
}

/** spec, Authentication 2; wire.md section 2. */
const walletHeaders = { standard: "X-Sign-In-With-X", venice: "SIGN-IN-WITH-X" } as const;

export function walletHeader({ dialect }: Pick<Target, "dialect">): string {
  return walletHeaders[dialect.id];
}

/** The value of the header (wire.md section 10), written and signed by viem, which knows nothing of our client. */
export async function signIn(
  { baseUrl, now }: Pick<Target, "baseUrl" | "now">,
  { issuedAt, expirationTime, address = testWallet.address, ...fields }: SignInFields = {},
): Promise<string> {
  const { host, origin } = new URL(baseUrl);
  const written = createSiweMessage({
    domain: host,
    address: testWallet.address,
    uri: origin,
    version: "1",
    chainId: 8453,
    nonce: crypto.randomUUID().replaceAll("-", ""),
    issuedAt: new Date(now()),
    ...fields,
  });
  const message = written
    .replace(testWallet.address, address)
    .replace(/(?<=Issued At: ).*/, issuedAt ?? "$&")
    .concat(expirationTime === undefined ? "" : `\nExpiration Time: ${expirationTime}`);
  const signature = await testWallet.signMessage({ message });
  return Buffer.from(JSON.stringify({ address, message, signature })).toString("base64");
}

/** Signs for each request of a client. */
export function walletSigner(
  target: Pick<Target, "baseUrl" | "now">,
): NonNullable<ClientOptions["walletSignIn"]> {
  return () => signIn(target);
}

/** A client of the target with the credential that the row needs. */
export function apiOfRow(target: Target, transport: Parameters<typeof apiOf>[1], row: Endpoint) {
  const signer = row.auth === "wallet" ? walletSigner(target) : undefined;
  return apiOf(target, transport, target.apiKey, signer);
}

/** An input as a request of this row, with the credential that the row needs. */
export async function wireRequestOf(target: Target, row: Endpoint, input: Input): Promise<WireRequest> {
  const request = toWireRequest(target.dialect, row, input);
  if (row.auth !== "wallet") return request;
  const headers = { ...request.headers, [walletHeader(target)]: await signIn(target) };
  return { ...request, headers, key: null };
}
