import { randomBytes } from "node:crypto";
import * as z from "zod";
import { parseJson } from "../shared/text/json/parseJson.ts";

/** Base, where the public service keeps the credits of wallets (wire.md section 10). */
const chainId = 8453;
/** A sign-in is valid this long (wire.md section 10). */
const validMs = 300_000;
/** It has to arrive before it expires. */
const travelMs = 10_000;

/** What a wallet is asked to sign for one request. Nothing of it is secret. */
export interface SignInChallenge {
  /** Host of the service, with a port that is not the default. */
  readonly domain: string;
  /** 0x and 40 hex digits. */
  readonly address: string;
  /** Origin of the service. */
  readonly uri: string;
  readonly chainId: number;
  readonly nonce: string;
  /** ISO 8601. */
  readonly issuedAt: string;
  readonly expirationTime: string;
  /** The EIP-4361 text of all these, which is signed with `personal_sign`. */
  readonly message: string;
}

/** A sign-in that can be sent. */
export interface SignedIn {
  /** The value of the header: a secret until it was used. */
  readonly header: string;
  readonly nonce: string;
}

/** Domain and origin come from the connection's own address, never from a reply: another service can't ask for them. */
export function signInChallenge(root: string, address: string, nowMs: number): SignInChallenge {
  const { host: domain, origin: uri } = new URL(root);
  const nonce = randomBytes(16).toString("hex");
  const issuedAt = new Date(nowMs).toISOString();
  const expirationTime = new Date(nowMs + validMs).toISOString();
  const message = [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    "",
    "Sign in to pay for one request.",
    "",
    `URI: ${uri}`,
    "Version: 1",
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    `Expiration Time: ${expirationTime}`,
  ].join("\n");
  return { domain, address, uri, chainId, nonce, issuedAt, expirationTime, message };
}

/** The problem of an address as the user types it; undefined if it is one of a wallet. */
export function walletAddressProblem(address: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return "A wallet's address is 0x and 40 hex digits.";
  const letters = address.slice(2).replace(/\d/g, "");
  const isMixed = /[a-f]/.test(letters) && /[A-F]/.test(letters);
  // Its case is a checksum (EIP-55), which services require in the text that is signed.
  return isMixed || letters.length < 2
    ? undefined
    : "Copy it from the wallet, with its upper and lower case letters: they are a checksum.";
}

const longestHeader = 8_192;
/** 65 bytes of a key, or more of a smart wallet (EIP-1271). */
const signatureForm = /^0x(?:[0-9a-fA-F]{2}){65,2000}$/;

const SignIn = z.object({ address: z.string(), message: z.string().max(4000), signature: z.string() });

/**
 * Reads what a wallet gave back: the signature of the challenge's message, or a whole header (base64 of a JSON object). A
 * header may have a message of its own, which must be for this service and this wallet. A returned text says what is
 * wrong, without quoting the answer.
 */
export function readSignIn(
  answer: string,
  challenge: SignInChallenge,
  { nowMs, isUsed }: { readonly nowMs: number; readonly isUsed: (nonce: string) => boolean },
): SignedIn | string {
  const text = answer.trim();
  const header = signatureForm.test(text) ? headerOf(challenge, text) : text;
  if (header.length > longestHeader || !/^[A-Za-z0-9+/_-]+=*$/.test(header))
    return "it is neither a signature (0x and hex digits) nor a sign-in header (base64)";
  const { data } = SignIn.safeParse(parseJson(Buffer.from(header, "base64").toString("utf8")));
  if (!data) return "its base64 has no address, message and signature";
  const { domain, address, nonce, endMs } = factsOf(data.message);
  if (domain !== challenge.domain) return "it was signed for another service";
  const isOwn = [address, data.address].every((one) => sameAddress(one, challenge.address));
  if (!isOwn) return "it was signed by another wallet";
  if (nonce === undefined || Number.isNaN(endMs)) return "its message has no nonce or no time";
  if (isUsed(nonce)) return "it was used before, and each sign-in is good for one request";
  if (endMs - travelMs <= nowMs) return "it has expired";
  return { header, nonce };
}

function headerOf({ address, message, chainId: chain }: SignInChallenge, signature: string): string {
  return Buffer.from(JSON.stringify({ address, message, signature, chainId: chain })).toString("base64");
}

function sameAddress(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

/** The lines of an EIP-4361 text that decide whether it can be sent. `endMs` is NaN without a time. */
function factsOf(message: string) {
  const lines = message.split("\n");
  const member = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [, domain] = /^(\S+) wants you to sign in with your Ethereum account:$/.exec(lines[0] ?? "") ?? [];
  const issuedMs = Date.parse(member("Issued At") ?? "");
  const expiryMs = Date.parse(member("Expiration Time") ?? "");
  return {
    domain,
    address: lines[1],
    nonce: /^[A-Za-z0-9]{8,128}$/.exec(member("Nonce") ?? "")?.[0],
    endMs: Number.isNaN(expiryMs) ? issuedMs + validMs : Math.min(expiryMs, issuedMs + validMs),
  };
}
