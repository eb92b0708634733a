/** USD: what costs no more is no surprise once its kind of action was said yes to. */
const smallUsd = 0.1;

/**
 * Whether a price has to be told although its kind of action was said yes to before, at `agreedUsd` at most; undefined
 * for an action that never was. One that nobody names is told each time.
 */
export function isNewPrice(agreedUsd: number | undefined, usd: number | undefined): boolean {
  return agreedUsd === undefined || usd === undefined || usd > Math.max(agreedUsd, smallUsd);
}
