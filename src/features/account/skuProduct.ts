/** What a usage record's sku stands for. Records name no model: it is read off the sku. */
export interface SkuProduct {
  readonly model: string;
  /** Which side of a request, as analytics call it: Input, Output, Cache Read …; undefined where there is one side. */
  readonly part: string | undefined;
  /** How many tokens one unit is; 0 where units are no tokens. */
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
