import * as z from "zod";
import { parseJson } from "../../shared/text/parseJson.ts";
import { Refusal } from "../refusal.ts";

/** The members of a sign-in (wire.md section 10). */
const SignIn = z.looseObject({ address: z.string(), message: z.string(), signature: z.string().min(1) });

/** How long a sign-in is valid, in milliseconds. It is valid for one request. */
const goodForMs = 300_000;

/** Wallets that sign in to pay. The sandbox has no wallet balances, so a valid sign-in gets a 402. */
export interface Wallets {
  /** A 402 for a valid sign-in, else a 401. */
  refuse(signIn: string): Refusal;
}

export function createWallets(now: () => number): Wallets {
  /** Expiry by nonce, in Unix milliseconds. */
  const used = new Map<string, number>();
  return {
    refuse(signIn) {
      const { nonce, issuedAtMs } = readSignIn(signIn) ?? {};
      if (nonce === undefined || issuedAtMs === undefined)
        return new Refusal(401, "The wallet sign-in is malformed");
      for (const [old, endMs] of used) if (endMs <= now()) used.delete(old);
      const age = now() - issuedAtMs;
      if (age >= goodForMs || age < -goodForMs) return new Refusal(401, "The wallet sign-in has expired");
      if (used.has(nonce)) return new Refusal(401, "The wallet sign-in was used before");
      used.set(nonce, issuedAtMs + goodForMs);
      return topUp();
    },
  };
}

/** Reads base64 JSON with an EIP-4361 message. The signature is not verified, because there is no money. */
function readSignIn(text: string): { readonly nonce: string; readonly issuedAtMs: number } | undefined {
  const parsed = SignIn.safeParse(parseJson(Buffer.from(text, "base64").toString("utf8")));
  if (!parsed.success) return undefined;
  const { message, address } = parsed.data;
  const nonce = /^Nonce: ([A-Za-z0-9]{8,})$/m.exec(message)?.[1];
  const issuedAtMs = Date.parse(/^Issued At: (\S+)$/m.exec(message)?.[1] ?? "");
  const isOwn = message.split("\n")[1]?.trim().toLowerCase() === address.toLowerCase();
  return nonce === undefined || Number.isNaN(issuedAtMs) || !isOwn ? undefined : { nonce, issuedAtMs };
}

/** spec, Authentication 2; the body's form from wire.md section 8. */
function topUp(): Refusal {
  const members = {
    code: "INSUFFICIENT_BALANCE",
    reason: "The wallet's balance is too low for this request",
    currentBalanceUsd: 0,
    suggestedTopUpUsd: 10,
    minimumTopUpUsd: 5,
    supportedTokens: ["USDC"],
    topUpInstructions: {
      step1: "Open your wallet on Base",
      step2: "Send at least 5 USDC to the address that the service names",
      step3: "Sign in anew and send the request again",
    },
  };
  return new Refusal(402, "Insufficient wallet balance", { members });
}
