import { commands } from "../../../../src/shared/names/ids.ts";
import type { Place, Places } from "../place.ts";

const wallet: Place = { command: commands.connectionSignInWithWallet };

export const sentHeaders: Places = {
  "X-Sign-In-With-X": wallet,
  "SIGN-IN-WITH-X": wallet,
  "Idempotency-Key": { cell: "@idempotency mine\neth_blockNumber" },
  authorization: { command: commands.connectionSignIn },
  accept: { automatic: "the forms that the row can read" },
  "content-type": { automatic: "the form of the body" },
};

const body: Place = { automatic: "how the body is read" };
const limits: Place = { shown: "Limits" };
const money: Place = { shown: "RPC notebook" };
const wait: Place = { automatic: "when a refused request may be sent again, which its error says" };
const safety: Place = { shown: "Image studio" };
const advice: Place = { automatic: "chooses the words and the advice of an error" };
const pages: Place = { automatic: "the next page of an export" };
const support: Place = { shown: "Chat" };
const balance: Place = {
  automatic: "read beside the charge of a call; the Usage view asks for the balance itself",
};

/** Headers of replies, in both dialects. */
export const readHeaders: Places = {
  "content-type": body,
  "content-length": body,
  "content-encoding": body,
  date: wait,
  "retry-after": wait,
  "x-request-id": support,
  "cf-ray": support,
  "cf-mitigated": advice,
  link: advice,
  location: advice,
  "idempotent-replayed": money,
  "x-service-rpc-credits": money,
  "x-service-rpc-cost-usd": money,
  "x-venice-rpc-credits": money,
  "x-venice-rpc-cost-usd": money,
  "x-venice-balance-usd": balance,
  "x-venice-balance-diem": balance,
  "x-venice-is-blurred": safety,
  "x-venice-is-content-violation": safety,
  "x-service-is-blurred": safety,
  "x-service-is-content-violation": safety,
  "x-next-cursor": pages,
  "x-pagination-total-pages": pages,
  ...Object.fromEntries(
    ["-requests", "-tokens", ""].flatMap((window) =>
      ["limit", "remaining", "reset", "resets"].map((part) => [`x-ratelimit-${part}${window}`, limits]),
    ),
  ),
};
