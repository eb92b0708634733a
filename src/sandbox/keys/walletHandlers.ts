import { json } from "../http/reply.ts";
import { Refusal } from "../refusal.ts";
import type { Handler, ServiceCall } from "../state/state.ts";
import { veniceOnly } from "../veniceOnly.ts";

interface WalletInput {
  readonly address: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** The accounts of wallets, which only the public dialect has (api-missing.md, Wallet). */
export const walletHandlers: Readonly<Record<string, Handler>> = {
  "GET /x402/balance/{address}": veniceOnly(({ wallets }, call) => {
    const { address } = call.input as WalletInput;
    return json({ success: true, data: wallets.balance(callerOf(call), address) });
  }),
  "GET /x402/transactions/{address}": veniceOnly(({ wallets }, call) => {
    const { address, ...page } = call.input as WalletInput;
    return json({ success: true, data: wallets.transactions(callerOf(call), address, page) });
  }),
};

function callerOf({ key }: ServiceCall): string {
  if (key) return key.id;
  throw new Refusal(401, "Authentication failed");
}
