import { dayMs, dayOf } from "../../../shared/time/days.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { TextModel } from "../../catalog/modelRecord.ts";
import { createRandom } from "../../state/ids.ts";
import {
  amountOf,
  type Charge,
  chatCharge,
  entriesOf,
  imageCharge,
  requestCharge,
  rpcCharge,
  speechCharge,
} from "./charge.ts";
import { addNano, toNano } from "./decimal.ts";
import type { LedgerEntry } from "./entry.ts";

export interface ExampleMonthOptions {
  readonly nowMs: number;
  readonly catalog: Catalog;
  readonly usdPerCredit: number;
  readonly keys: {
    /** The sandbox's ADMIN key. */
    readonly own: string;
    readonly pipeline: string;
    readonly docs: string;
    readonly monitor: string;
  };
}

const days = 30;
const workdayStart = 7;
const workdayHours = 11;
/** Requests on a weekend day, relative to a working day. */
const weekendShare = 0.2;
/** DIEM per day of the example. USD pays for the rest. */
const diemPerDay = toNano(0.15);

/**
 * The bill of a small team for the 30 UTC days before today, determined by the day. It shows the dashboard, its
 * drill-down and budgets with data. It does not change the balance.
 */
export function exampleMonth(options: ExampleMonthOptions): readonly LedgerEntry[] {
  const random = createRandom(30);
  const today = dayOf(options.nowMs);
  const entries: LedgerEntry[] = [];
  for (let day = today - days; day < today; day++) {
    const weekday = new Date(day * dayMs).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    // Usage grows over the month and varies by day.
    const share =
      (isWeekend ? weekendShare : 1) * (0.6 + (day - today + days) / days) * (0.6 + 0.8 * random());
    entries.push(...dayOfTeam(options, day, share, random));
  }
  return entries;
}

type Random = () => number;

function dayOfTeam(options: ExampleMonthOptions, day: number, share: number, random: Random): LedgerEntry[] {
  const charges = habits(options, random).flatMap(({ perDay, charge }) =>
    Array.from({ length: Math.round(perDay * share * (0.7 + 0.6 * random())) }, () => ({
      atMs: day * dayMs + Math.floor((workdayStart + workdayHours * random()) * 3_600_000),
      charge: charge(),
    })),
  );
  let diemSpent = 0;
  return charges
    .toSorted((a, b) => a.atMs - b.atMs)
    .flatMap(({ atMs, charge }) => {
      const after = addNano(diemSpent, amountOf(charge));
      const isDiem = after <= diemPerDay;
      if (isDiem) diemSpent = after;
      return entriesOf(charge, isDiem ? "DIEM" : "USD", atMs);
    });
}

/** Kinds of requests, with their number on a working day. */
function habits({ catalog, usdPerCredit, keys }: ExampleMonthOptions, random: Random) {
  const [quick, strong] = [catalog.textModel("guide"), catalog.textModel("thinker")];
  const voice = catalog.models.find(({ type }) => type === "tts");
  const hex = () =>
    Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, "0");
  const spent = (keyId: string, executionMs: number) => ({
    keyId,
    requestId: `chatcmpl-${hex()}${hex()}`,
    executionMs: executionMs * (0.5 + random()),
  });
  const chat = (keyId: string, model: TextModel | undefined, prompt: number, completion: number) => () => {
    const promptTokens = Math.round(prompt * (0.4 + 1.2 * random()));
    const completionTokens = Math.round(completion * (0.4 + 1.2 * random()));
    if (!model) throw new RangeError("The catalog has no such model");
    const cachedTokens = Math.round(promptTokens * 0.6 * random());
    return chatCharge({
      ...spent(keyId, completionTokens * 12),
      model: model.record.id,
      price: model.price,
      promptTokens,
      cachedTokens,
      completionTokens,
    });
  };
  const habit = (perDay: number, charge: () => Charge) => ({ perDay, charge });
  return [
    habit(12, chat(keys.own, quick, 2600, 500)),
    habit(6, chat(keys.own, strong, 6000, 1600)),
    habit(9, chat(keys.pipeline, quick, 4200, 180)),
    habit(4, chat(keys.docs, quick, 1800, 350)),
    habit(3, () => requestCharge({ keyId: keys.docs, name: "search", usd: 0.01 })),
    habit(1, () => requestCharge({ keyId: keys.own, name: "scrape", usd: 0.01 })),
    habit(1, () => requestCharge({ keyId: keys.own, name: "text-parser", usd: 0.01 })),
    habit(2, () => imageCharge({ ...spent(keys.own, 2400), model: "canvas", images: 1, usdPerImage: 0.01 })),
    habit(0.6, () =>
      speechCharge({
        ...spent(keys.own, 3100),
        model: voice?.id ?? "speech",
        characters: Math.round(400 + 2000 * random()),
        usdPerMillion: 4,
      }),
    ),
    habit(8, () =>
      rpcCharge({
        keyId: keys.monitor,
        network: random() < 0.7 ? "ethereum-mainnet" : "base-mainnet",
        credits: 20 * Math.ceil(6 * random()),
        usdPerCredit,
      }),
    ),
  ];
}
