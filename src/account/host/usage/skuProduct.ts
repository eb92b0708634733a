/** Meaning of a usage record's sku. Records name no model, so it is parsed from the sku. */
export interface SkuProduct {
  readonly model: string;
  /** The part of a request, as analytics name it: Input, Output, Cache Read …; undefined if there is only one. */
  readonly part: string | undefined;
  /** Tokens per unit; 0 if units are not tokens. */
  readonly tokensPerUnit: number;
}

const parts: Readonly<Record<string, string>> = {
  input: "Input",
  output: "Output",
  "cache-input": "Cache Read",
  "cache-read": "Cache Read",
  "cache-write": "Cache Write",
};

const llm = /^(.+)-llm-([a-z-]+?)-(m?)tokens?$/;
const otherForms = [
  /^(.+)-(?:tts|asr|image|inpaint|edit|video|music|upscale|embedding)-[a-z0-9-]+$/,
  /^(augment-.+)-requests?$/,
  /^(crypto-rpc-.+)-credits?$/,
];

export function productOf(sku: string): SkuProduct {
  const [, model, side = "", millions] = llm.exec(sku) ?? [];
  if (model !== undefined) {
    return {
      model,
      part: Object.hasOwn(parts, side) ? parts[side] : side,
      tokensPerUnit: millions ? 1e6 : 1,
    };
  }
  const named = otherForms.map((form) => form.exec(sku)?.[1]).find((name) => name !== undefined);
  return { model: named ?? sku, part: undefined, tokensPerUnit: 0 };
}
