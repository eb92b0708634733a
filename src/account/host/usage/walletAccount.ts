import type { WalletBalance, WalletTransaction } from "../../../api/endpoints/account/account.ts";
import { isApiError } from "../../../api/errors/errors.ts";
import type { Client } from "../../../session/session.ts";
import { formatUsd } from "../../../shared/money/formatUsd.ts";
import { shortAddress } from "../../../shared/rpc/hex.ts";
import { spanText } from "../../../shared/time/days.ts";
import { utcText } from "../../../shared/time/whenText.ts";
import type { AccountNode, Fact, RowTooltip } from "../tree/treeNode.ts";

/** A wallet's balance and transactions, as the service states them. */
interface WalletReading {
  readonly balance: WalletBalance;
  /** The newest ones. */
  readonly transactions: readonly WalletTransaction[];
  readonly hasMore: boolean;
  readonly asOfMs: number;
}

const balanceRoute = "GET /x402/balance/{address}";
const mostTransactions = 50;

/**
 * The account of a connection's wallet, where its service has one. Each reading needs two signatures, so it is read only
 * when the user asks for it.
 */
export class WalletAccount {
  readonly #address: string;
  readonly #now: () => number;
  #reading: WalletReading | undefined;
  #isMissing = false;

  constructor(address: string, now: () => number) {
    this.#address = address;
    this.#now = now;
  }

  /** Rejects with an ApiError. A service without such accounts is not asked again. */
  async read({ api }: Pick<Client, "api">, signal: AbortSignal): Promise<void> {
    const address = this.#address;
    try {
      const { data: balance } = await api.wallet.balance({ address }, { signal });
      const { data } = await api.wallet.transactions({ address, limit: mostTransactions }, { signal });
      const hasMore = data.pagination?.hasMore === true;
      this.#reading = { balance, transactions: data.transactions, hasMore, asOfMs: this.#now() };
    } catch (error) {
      this.#isMissing ||= isApiError(error) && error.kind === "not-found";
      throw error;
    }
  }

  /** One row, or none if the dialect of the service has no accounts of wallets. */
  nodes({ dialect, connection }: Pick<Client, "dialect" | "connection">): readonly AccountNode[] {
    if (this.#isMissing || !dialect.ownRoutes.includes(balanceRoute)) return [];
    const row = {
      id: "wallet",
      label: `Wallet ${shortAddress(this.#address)}`,
      icon: "credit-card",
      kind: "fact",
      copyText: this.#address,
    } as const;
    const reading = this.#reading;
    if (!reading) {
      const description = "click to read its balance; it signs twice";
      return [
        { ...row, description, tooltip: { facts: [["Address", this.#address]] }, command: "readWallet" },
      ];
    }
    const isPlayMoney = connection.kind === "sandbox";
    const age = spanText(this.#now() - reading.asOfMs);
    return [
      {
        ...row,
        description: `${moneyOf(reading.balance.balanceUsd, isPlayMoney)}, read ${age} ago`,
        tooltip: balanceFacts(this.#address, reading.balance, isPlayMoney),
        ...(reading.balance.canConsume === false ? { tint: "warning" as const } : {}),
        children: async () => rowsOf(reading, this.#now(), isPlayMoney),
      },
    ];
  }
}

function balanceFacts(address: string, balance: WalletBalance, isPlayMoney: boolean): RowTooltip {
  const { balanceUsd, diemBalanceUsd, canConsume, minimumTopUpUsd, suggestedTopUpUsd } = balance;
  const usd = (name: string, value: number | null | undefined): readonly Fact[] =>
    typeof value === "number" ? [[name, moneyOf(value, isPlayMoney)]] : [];
  const facts: readonly Fact[] = [
    ["Address", address],
    ...usd("Balance", balanceUsd),
    ...usd("DIEM of the linked account, in USD", diemBalanceUsd),
    ...(typeof canConsume === "boolean" ? [["Can pay a call", canConsume ? "yes" : "no"] as const] : []),
    ...usd("Smallest top-up", minimumTopUpUsd),
    ...usd("Suggested top-up", suggestedTopUpUsd),
  ];
  return { facts };
}

function rowsOf(
  { transactions, hasMore }: WalletReading,
  nowMs: number,
  isPlayMoney: boolean,
): readonly AccountNode[] {
  const again: AccountNode = {
    id: "wallet:again",
    label: "Read again",
    icon: "refresh",
    command: "readWallet",
  };
  const more: AccountNode = {
    id: "wallet:more",
    label: "There are older ones",
    icon: "ellipsis",
    tint: "quiet",
  };
  const rows = transactions.map((one) => transactionNode(one, nowMs, isPlayMoney));
  const none: AccountNode = { id: "wallet:none", label: "No transactions", icon: "dash", tint: "quiet" };
  return [...(rows.length > 0 ? rows : [none]), ...(hasMore ? [more] : []), again];
}

const kinds: Readonly<Record<string, readonly [label: string, icon: string]>> = {
  TOP_UP: ["Top-up", "arrow-up"],
  CHARGE: ["Charge", "arrow-down"],
  REFUND: ["Refund", "discard"],
};

function transactionNode(one: WalletTransaction, nowMs: number, isPlayMoney: boolean): AccountNode {
  const { id, type, amount, balanceAfter, createdAt, requestId, modelId } = one;
  const [label, icon] = Object.hasOwn(kinds, type) ? (kinds[type] ?? [type, "dash"]) : [type, "dash"];
  const ms = Date.parse(createdAt);
  const age = Number.isNaN(ms) ? createdAt : `${spanText(nowMs - ms)} ago`;
  const money = moneyOf(amount, isPlayMoney);
  return {
    id: `wallet:${id}`,
    label,
    description: [money, modelId, age].filter(Boolean).join(" · "),
    tooltip: {
      facts: [
        ["When", Number.isNaN(ms) ? createdAt : utcText(ms)],
        ["Amount", money],
        ...(typeof balanceAfter === "number"
          ? [["Balance after it", moneyOf(balanceAfter, isPlayMoney)] as const]
          : []),
        ...(modelId ? [["For", modelId] as const] : []),
        ...(requestId ? [["Request", requestId] as const] : []),
      ],
    },
    icon,
    kind: "fact",
    copyText: requestId ?? id,
  };
}

/** Charges are negative. */
function moneyOf(usd: number, isPlayMoney: boolean): string {
  return `${usd < 0 ? "−" : ""}${formatUsd(Math.abs(usd), isPlayMoney)}`;
}
