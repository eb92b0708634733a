import { isMembers, type Members, membersOf, optionalMember } from "../../shared/members.ts";
import { isPayAddress, type TopUp, type TopUpPayment } from "../../shared/money/topUp.ts";
import { visibleLine } from "../../shared/text/html/visibleText.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { shortened } from "../../shared/text/shortened.ts";

const mostSteps = 8;
const mostPayments = 4;
const longestStep = 400;
/** Characters of the header with the terms. Those of the public service have about 1,000. */
const longestHeader = 16_384;

/**
 * The top-up terms of a 402, from the forms of wire.md section 8: `topUpInstructions`, or `accepts` in the body or in the
 * base64 of the header `PAYMENT-REQUIRED`. Undefined if they state nothing that can be shown.
 */
export function readTopUp(body: unknown, header: string): TopUp | undefined {
  const members = membersOf(body);
  const instructions = membersOf(members.topUpInstructions);
  const payments = [paymentIn(instructions), ...offersIn(members), ...offersIn(decoded(header))]
    .filter((payment) => payment.payTo !== undefined)
    .filter(({ payTo }, index, all) => all.findIndex((other) => other.payTo === payTo) === index)
    .slice(0, mostPayments);
  const steps = stepsIn(instructions);
  const topUp: TopUp = {
    steps,
    payments,
    ...optionalMember("balanceUsd", usdText(members.currentBalanceUsd)),
    ...optionalMember("minimumUsd", usdText(members.minimumTopUpUsd ?? instructions.minimumAmountUsd)),
    ...optionalMember("suggestedUsd", usdText(members.suggestedTopUpUsd)),
  };
  const isEmpty = steps.length === 0 && payments.length === 0 && Object.keys(topUp).length === 2;
  return isEmpty ? undefined : topUp;
}

/** `step1`, `step2` …, in their order. */
function stepsIn(instructions: Members): readonly string[] {
  const named = Object.entries(instructions).slice(0, 100);
  return named
    .flatMap(([name, step]) => {
      const number = /^(?:step_?)?(\d{1,3})$/i.exec(name)?.[1];
      return number === undefined || typeof step !== "string" || step.trim() === ""
        ? []
        : [{ number: Number(number), step: shownLine(step) }];
    })
    .sort((a, b) => a.number - b.number)
    .slice(0, mostSteps)
    .map(({ step }) => step);
}

/** Hidden characters could make an address look like another one, so they are shown. */
function shownLine(text: string): string {
  const line = text
    .slice(0, 4 * longestStep)
    .replace(/\s+/g, " ")
    .trim();
  return shortened(visibleLine(line), longestStep);
}

function paymentIn(instructions: Members): TopUpPayment {
  const { receiverWallet, tokenAddress, network, minimumAmountUsd } = instructions;
  const usd = usdText(minimumAmountUsd);
  return {
    ...optionalMember("amount", usd && `${usd} USD`),
    ...optionalMember("network", networkText(network)),
    ...optionalMember("token", tokenText(tokenAddress)),
    ...optionalMember("payTo", addressIn(receiverWallet)),
  };
}

function offersIn(terms: Members): readonly TopUpPayment[] {
  const { accepts } = terms;
  const offers = Array.isArray(accepts) ? accepts.slice(0, 20).filter(isMembers) : [];
  return offers.map(({ network, asset, amount, maxAmountRequired, payTo }) => ({
    ...optionalMember("amount", amountText(amount ?? maxAmountRequired, asset)),
    ...optionalMember("network", networkText(network)),
    ...optionalMember("token", tokenText(asset)),
    ...optionalMember("payTo", addressIn(payTo)),
  }));
}

function decoded(header: string): Members {
  const isBase64 = header.length <= longestHeader && /^[A-Za-z0-9+/_-]+=*$/.test(header);
  return isBase64 ? membersOf(parseJson(Buffer.from(header, "base64").toString("utf8"))) : {};
}

/** USDC has six decimals on each network. Its contracts on Base and Solana, which its issuer publishes. */
const usdc = new Set([
  "usdc",
  "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  "epjfwdd5aufqssqem2qn1xzybapc8g4weggkzwytdt1v",
]);

/** An amount in the token's smallest unit. The decimals of other tokens are not known here, and a service could lie. */
function amountText(amount: unknown, token: unknown): string | undefined {
  if (typeof amount !== "string" || !/^\d{1,30}$/.test(amount)) return undefined;
  if (typeof token !== "string" || !usdc.has(token.toLowerCase())) return `${amount} base units`;
  const digits = amount.padStart(7, "0");
  const [whole, rest] = [digits.slice(0, -6).replace(/^0+(?=\d)/, ""), digits.slice(-6).replace(/0+$/, "")];
  return `${whole}${rest === "" ? "" : `.${rest}`} USDC`;
}

/** A number or a decimal text, as decimal text. */
function usdText(value: unknown): string | undefined {
  const text = typeof value === "number" && value >= 0 && value < 1e9 ? String(value) : value;
  return typeof text === "string" && /^\d{1,9}(\.\d{1,18})?$/.test(text) ? text : undefined;
}

/** Names of networks by their id (CAIP-2). */
const networkNames: Readonly<Record<string, string>> = {
  base: "Base",
  "base-mainnet": "Base",
  "eip155:8453": "Base",
  "base-sepolia": "Base Sepolia, a test network",
  "eip155:84532": "Base Sepolia, a test network",
  "eip155:1": "Ethereum",
  solana: "Solana",
  "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "Solana",
};

function networkText(network: unknown): string | undefined {
  if (typeof network !== "string" || !/^[A-Za-z0-9][A-Za-z0-9:_-]{0,63}$/.test(network)) return undefined;
  const name = Object.hasOwn(networkNames, network) ? networkNames[network] : undefined;
  return name === undefined ? network : `${name} (${network})`;
}

function addressIn(value: unknown): string | undefined {
  return isPayAddress(value) ? value : undefined;
}

function tokenText(token: unknown): string | undefined {
  if (typeof token !== "string") return undefined;
  return /^[A-Za-z0-9.]{1,12}$/.test(token) ? token : addressIn(token);
}
