/** What decides an image's price. */
export interface PriceChoice {
  readonly resolution: string;
  readonly quality: string | undefined;
  /** Images handed in, the base included. */
  readonly inputs: number;
}

interface Leaf {
  readonly usd: number;
}

/** How a listing prices images (wire.md section 4). */
interface Pricing {
  readonly generation?: Leaf;
  readonly inpaint?: Leaf;
  readonly resolutions?: Readonly<Record<string, Leaf>>;
  readonly quality?: Readonly<Record<string, Readonly<Record<string, Leaf>>>>;
  readonly inputImages?: { readonly included: number; readonly additional: Leaf };
}

/** USD for one picture: by tier and resolution where the model has such prices (spec E5), else its one price. */
export function imageUsd(
  record: { readonly model_spec: { readonly pricing: object } },
  choice: PriceChoice,
): number {
  const pricing: Pricing = record.model_spec.pricing;
  const tiered = pricing.quality?.[choice.resolution]?.[choice.quality ?? "high"];
  const base = tiered ?? pricing.resolutions?.[choice.resolution] ?? pricing.generation ?? pricing.inpaint;
  const { included, additional } = pricing.inputImages ?? { included: choice.inputs, additional: { usd: 0 } };
  return (base?.usd ?? 0) + Math.max(0, choice.inputs - included) * additional.usd;
}
