import { type Charge, chatCharge, requestCharge } from "../billing/charge.ts";
import { addNano, costOf, type Nano, nanoNumber } from "../billing/decimal.ts";
import type { ComposedAnswer } from "./compose.ts";

/** A search inside a chat costs about 0.01 USD (wire.md section 5). */
const searchUsd = 0.01;

/** Who asked, and how much of the answer there was. */
export interface Asked {
  readonly keyId: string | null;
  readonly requestId: string;
  readonly completionTokens: number;
  /** Milliseconds. */
  readonly executionMs: number;
}

/** What an answer is charged: its tokens, and the search that was made for it. */
export function chargesOf({ ask, citations }: ComposedAnswer, asked: Asked): readonly Charge[] {
  const { model, promptTokens, cachedTokens } = ask;
  const { id } = model.record;
  const chat = chatCharge({ ...asked, model: id, price: model.price, promptTokens, cachedTokens });
  const search = requestCharge({ keyId: asked.keyId, name: "search", usd: searchUsd });
  return citations.length > 0 ? [chat, search] : [chat];
}

/** The sum, to the digit that the ledger will show. */
export function usdOf(charges: readonly Charge[]): number {
  const lines = charges.flatMap((charge) => charge.lines);
  return nanoNumber(
    lines.map(({ pricePerUnitUsd, units }) => costOf(pricePerUnitUsd, units)).reduce<Nano>(addNano, 0),
  );
}
