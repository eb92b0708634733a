import { usdText } from "../../shared/rpc/usdText.ts";

/** USD per credit as the service states it, in two figures that differ (spec E3, billing rule 4). */
export const usdPerCredit = [6.25e-7, 7e-7] as const;

/** About what credits come to before the headers have said it. */
export function usdRange(credits: number): string {
  const [low, high] = usdPerCredit.map((price) => usdText(credits * price));
  return low === high ? `≈ ${low} USD` : `≈ ${low} to ${high} USD`;
}

/** The larger of the two. */
export function usdMost(credits: number): string {
  return `${usdText(credits * Math.max(...usdPerCredit))} USD`;
}
