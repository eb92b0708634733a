import * as z from "zod";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { amountOf, type Charge } from "../billing/ledger/charge.ts";
import { addNano, type Nano, nanoNumber, toNano } from "../billing/ledger/decimal.ts";
import { Refusal } from "../refusal.ts";
import type { Ids } from "../state/ids.ts";
import type { Key } from "./keyring.ts";

/** The members of a sign-in (wire.md section 10). */
const SignIn = z.looseObject({ address: z.string(), message: z.string(), signature: z.string().min(1) });

/** How long a sign-in is valid, in milliseconds. It is valid for one request. */
const goodForMs = 300_000;
/** Base, as on the public service. */
const chainId = "8453";
/** Oldest wallets and transactions are forgotten. */
const mostWallets = 1_000;
const mostTransactions = 1_000;

interface Transaction {
  readonly id: string;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly type: "TOP_UP" | "CHARGE";
  readonly createdAt: string;
  readonly requestId: string | null;
  readonly modelId: string | null;
}

interface Wallet {
  balance: Nano;
  /** Newest first. */
  readonly transactions: Transaction[];
}

export interface WalletsOptions {
  readonly now: () => number;
  readonly ids: Ids;
  /** Play money of a new wallet. */
  readonly usd: number;
}

/** A caller without an account, who pays with the play money of a wallet. */
const callerPrefix = "wallet-";

/** Wallets that sign in to pay. A wallet is made by its first valid sign-in. */
export class Wallets {
  readonly #options: WalletsOptions;
  readonly #wallets = new Map<string, Wallet>();
  /** Expiry by nonce, in Unix milliseconds. */
  readonly #used = new Map<string, number>();

  constructor(options: WalletsOptions) {
    this.#options = options;
  }

  /** The wallet that signed for this host, as a caller. Throws a 401 for a sign-in that is not valid. */
  async signIn(header: string, host: string): Promise<Key> {
    const { now } = this.#options;
    const read = readSignIn(header);
    if (!read) throw refused("INVALID_PAYLOAD", "is malformed");
    const { nonce, issuedAtMs, endMs, domain, chain, address, message, signature } = read;
    if (domain !== host) throw refused("DOMAIN_MISMATCH", `is for another domain than ${host}`);
    if (chain !== chainId) throw refused("UNSUPPORTED_CHAIN", `is for another chain than ${chainId}`);
    for (const [old, oldEndMs] of this.#used) if (oldEndMs <= now()) this.#used.delete(old);
    const age = now() - issuedAtMs;
    if (age >= goodForMs || age < -goodForMs || now() >= endMs) throw refused("EXPIRED", "has expired");
    if (this.#used.has(nonce)) throw refused("NONCE_REUSED", "was used before");
    if (!(await isSignedBy(address, message, signature)))
      throw refused("INVALID_SIGNATURE", "was not signed by its wallet");
    // Another request may have used it during the check.
    if (this.#used.has(nonce)) throw refused("NONCE_REUSED", "was used before");
    this.#used.set(nonce, issuedAtMs + goodForMs);
    this.#open(address);
    return { id: callerPrefix + address, secret: "", type: "INFERENCE" };
  }

  /** True for the id of a caller that `signIn` returned. */
  isWallet(callerId: string): boolean {
    return this.#find(callerId) !== undefined;
  }

  /** Throws a 402 with top-up instructions if the wallet has no money left (spec, Authentication 2). */
  check(callerId: string): void {
    const wallet = this.#find(callerId);
    if (wallet && wallet.balance <= 0) throw topUp(wallet);
  }

  /** Charges at most the rest of the balance. */
  pay(callerId: string, charge: Charge): void {
    const wallet = this.#find(callerId);
    if (!wallet) return;
    const { inferenceDetails, product } = charge;
    const about = { requestId: inferenceDetails?.requestId ?? null, modelId: product.model };
    this.#book(wallet, "CHARGE", -Math.min(amountOf(charge), wallet.balance), about);
  }

  /** GET /x402/balance: the caller's own wallet alone. */
  balance(callerId: string, address: string): object {
    const { balance } = this.#own(callerId, address, "balance");
    return {
      walletAddress: address,
      balanceUsd: nanoNumber(balance),
      canConsume: balance > 0,
      minimumTopUpUsd: 5,
      suggestedTopUpUsd: 10,
    };
  }

  /** GET /x402/transactions, newest first. */
  transactions(callerId: string, address: string, { limit = 50, offset = 0 }: Page): object {
    const { balance, transactions } = this.#own(callerId, address, "transaction history");
    return {
      walletAddress: address,
      currentBalance: nanoNumber(balance),
      transactions: transactions.slice(offset, offset + limit),
      pagination: { limit, offset, hasMore: offset + limit < transactions.length },
    };
  }

  #own(callerId: string, address: string, what: string): Wallet {
    const wallet = this.#find(callerId);
    if (wallet && callerId === callerPrefix + address.toLowerCase()) return wallet;
    throw new Refusal(403, `You can only access ${what} for your own wallet`);
  }

  #find(callerId: string): Wallet | undefined {
    return this.#wallets.get(callerId);
  }

  #open(address: string): void {
    const id = callerPrefix + address;
    if (this.#wallets.has(id)) return;
    const [oldest] = this.#wallets.keys();
    if (this.#wallets.size >= mostWallets && oldest !== undefined) this.#wallets.delete(oldest);
    const wallet: Wallet = { balance: 0, transactions: [] };
    this.#wallets.set(id, wallet);
    const { usd } = this.#options;
    if (usd > 0) this.#book(wallet, "TOP_UP", toNano(usd), { requestId: null, modelId: null });
  }

  #book(
    wallet: Wallet,
    type: Transaction["type"],
    amount: Nano,
    about: Pick<Transaction, "requestId" | "modelId">,
  ): void {
    const { ids, now } = this.#options;
    wallet.balance = addNano(wallet.balance, amount);
    wallet.transactions.unshift({
      id: ids.hex(32),
      amount: nanoNumber(amount),
      balanceAfter: nanoNumber(wallet.balance),
      type,
      createdAt: new Date(now()).toISOString(),
      ...about,
    });
    wallet.transactions.length = Math.min(wallet.transactions.length, mostTransactions);
  }
}

interface Page {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Reads base64 JSON with an EIP-4361 message. */
function readSignIn(text: string) {
  const { data } = SignIn.safeParse(parseJson(Buffer.from(text, "base64").toString("utf8")));
  if (!data) return undefined;
  const { message, signature } = data;
  const address = data.address.toLowerCase();
  const line = (name: string) => new RegExp(`^${name}: (\\S+)$`, "m").exec(message)?.[1];
  const domain = /^(\S+) wants you to sign in with your Ethereum account:\n/.exec(message)?.[1];
  const nonce = /^[A-Za-z0-9]{8,}$/.exec(line("Nonce") ?? "")?.[0];
  const issuedAtMs = Date.parse(line("Issued At") ?? "");
  const expiry = line("Expiration Time");
  const isOwn = message.split("\n")[1]?.trim().toLowerCase() === address;
  const endMs = expiry === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiry);
  if (nonce === undefined || Number.isNaN(issuedAtMs) || Number.isNaN(endMs) || !isOwn) return undefined;
  return { nonce, issuedAtMs, endMs, domain, chain: line("Chain ID"), address, message, signature };
}

/** True if the key of this address signed the message (EIP-191). */
async function isSignedBy(address: string, message: string, signature: string): Promise<boolean> {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return false;
  const { recoverMessageAddress } = await import("../rpc/evm/values/crypto.ts");
  try {
    const signer = await recoverMessageAddress({ message, signature: signature as `0x${string}` });
    return signer.toLowerCase() === address;
  } catch {
    return false;
  }
}

function refused(code: string, what: string): Refusal {
  return new Refusal(401, `The wallet sign-in ${what}`, { code: `X402_SIGN_IN_${code}` });
}

/**
 * spec, Authentication 2; the body's form from wire.md section 8. Nobody has the key of the address, and the network is
 * one for tests: no money can be lost by it.
 */
function topUp({ balance }: Wallet): Refusal {
  const members = {
    code: "INSUFFICIENT_BALANCE",
    reason: "The wallet's balance is too low for this request",
    currentBalanceUsd: nanoNumber(balance),
    suggestedTopUpUsd: 10,
    minimumTopUpUsd: 5,
    supportedTokens: ["USDC"],
    topUpInstructions: {
      step1: "Open your wallet on the network below",
      step2: "Send at least 5 USDC to the address below; the sandbox itself takes no money",
      step3: "Sign in anew and send the request again; in the sandbox, reload the window for new play money",
    },
    accepts: [
      {
        scheme: "exact",
        network: "base-sepolia",
        asset: "USDC",
        amount: "5000000",
        payTo: "0x000000000000000000000000000000000000dEaD",
      },
    ],
  };
  return new Refusal(402, "Insufficient wallet balance", { members });
}
