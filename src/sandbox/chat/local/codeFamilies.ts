import type { CompletionQuestion } from "../../../shared/chat/completionPrompt.ts";

type Place = Pick<CompletionQuestion, "name" | "before" | "after" | "excerpts">;

/** Models that were trained to fill in, by the tokens that mark prefix and suffix. */
export interface CodeFamily {
  /** A prompt that the model continues with the text at the cursor. */
  readonly prompt: (place: Place) => string;
  /** The tokens that end it. */
  readonly stops: readonly string[];
}

interface NamedFamily extends CodeFamily {
  readonly name: RegExp;
}

/** Other files first, each after the token that parts files. */
function filesBefore({ excerpts, name }: Place, separator: string): string {
  if (excerpts.length === 0) return "";
  return [...excerpts.map((one) => `${separator}${one.name}\n${one.text}\n`), `${separator}${name}\n`].join(
    "",
  );
}

const piped = (separator: string): CodeFamily => ({
  prompt: (place) =>
    `${filesBefore(place, separator)}<|fim_prefix|>${place.before}<|fim_suffix|>${place.after}<|fim_middle|>`,
  stops: [separator, "<|endoftext|>", "<|fim_prefix|>"],
});

const angled: CodeFamily = {
  prompt: (place) =>
    `${filesBefore(place, "<file_sep>")}<fim_prefix>${place.before}<fim_suffix>${place.after}<fim_middle>`,
  stops: ["<file_sep>", "<|endoftext|>", "<fim_prefix>"],
};

const bare = (prompt: CodeFamily["prompt"], ...stops: readonly string[]): CodeFamily => ({ prompt, stops });

/** The first whose name fits. Names are those of the models' makers, with or without publisher, size and quantization. */
const families: readonly NamedFamily[] = [
  { name: /qwen-?(2\.5|3)-?coder/i, ...piped("<|file_sep|>") },
  { name: /codegemma/i, ...piped("<|file_separator|>") },
  { name: /granite-?(3\.[3-9]|4)/i, ...piped("<|filename|>") },
  { name: /starcoder|stable-?code|granite.*code|codeqwen/i, ...angled },
  {
    name: /deepseek-?coder/i,
    ...bare(
      ({ before, after }) => `<｜fim▁begin｜>${before}<｜fim▁hole｜>${after}<｜fim▁end｜>`,
      "<｜end▁of▁sentence｜>",
      "<｜fim▁begin｜>",
    ),
  },
  // Not the Python and the 34b models, which were not trained for it.
  {
    name: /codellama(?!.*(python|34b|70b))/i,
    ...bare(({ before, after }) => `<PRE> ${before} <SUF>${after} <MID>`, "<EOT>", "<PRE>"),
  },
  {
    name: /codestral/i,
    ...bare(({ before, after }) => `[SUFFIX]${after}[PREFIX]${before}`, "[SUFFIX]", "</s>"),
  },
];

/** The family of a model by its name; undefined if none is known to fill in. */
export function codeFamilyOf(name: string): CodeFamily | undefined {
  return families.find((family) => family.name.test(name));
}
