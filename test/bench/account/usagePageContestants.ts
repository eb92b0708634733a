// Contestants of the benchmark `usage-page`. Each returns the number of records that it parsed.
import { billing } from "../../../src/api/endpoints/account/billing.ts";
import type { Prepare } from "../interleave.ts";

export interface UsagePages {
  readonly rows: number;
  /** Pages in one run. */
  readonly repeats: number;
}

export const parse: Prepare<UsagePages> = (given) => repeated(given, (text) => JSON.parse(text));

export const ours: Prepare<UsagePages> = (given) =>
  repeated(given, (text) => billing.usage.output.parse(JSON.parse(text)));

function repeated(
  { rows, repeats }: UsagePages,
  read: (text: string) => { readonly data: readonly unknown[] },
) {
  const text = JSON.stringify(page(rows));
  return () => {
    let counted = 0;
    for (let i = 0; i < repeats; i++) counted += read(text).data.length;
    return counted;
  };
}

function page(rows: number) {
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
