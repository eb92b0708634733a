// A full page of usage records, parsed and validated as the client does it: against JSON.parse alone.
import { billing } from "../../src/api/endpoints/billing.ts";
import { atMostTimes, type Benchmark, median } from "./figure.ts";
import { interleave } from "./interleave.ts";

const rows = 500;
const repeats = 40;
const rounds = 15;

export const benchmark: Benchmark = {
  name: "usage-page",
  async run() {
    const text = JSON.stringify(page());
    const repeated = (once: () => number) => () => {
      let counted = 0;
      for (let i = 0; i < repeats; i++) counted += once();
      return counted;
    };
    const times = await interleave(
      {
        parse: repeated(() => JSON.parse(text).data.length),
        ours: repeated(() => billing.usage.output.parse(JSON.parse(text)).data.length),
      },
      rounds,
      rows * repeats,
    );
    const each = (ms: readonly number[]) => (median(ms) / repeats) * 1000;
    return {
      "usage-page": atMostTimes(each(times.ours), "µs", each(times.parse), 1.5, "JSON.parse alone"),
    };
  },
};

function page() {
  const data = Array.from({ length: rows }, (_, i) => ({
    timestamp: new Date(Date.UTC(2026, 9, 1) + i * 977).toISOString(),
    sku: i % 2 ? "guide-llm-output-mtoken" : "guide-llm-input-mtoken",
    pricePerUnitUsd: 0.8,
    units: 0.000123 + i * 1e-6,
    amount: -0.00034 - i * 1e-7,
    currency: i % 3 ? "USD" : "DIEM",
    notes: "API Inference",
    inferenceDetails:
      i % 5
        ? {
            requestId: `chatcmpl-${i}`,
            inferenceExecutionTime: 1234 + i,
            promptTokens: 100,
            completionTokens: 20,
          }
        : null,
  }));
  return { data, pagination: { limit: rows, page: 1, total: 1_000_000, totalPages: 2000 } };
}
