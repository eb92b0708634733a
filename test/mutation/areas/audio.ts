import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

const speech = "src/sandbox/speech";

export const audioArea: Area = {
  tests: [
    contract("classes"),
    contract("charges", "^audio\\."),
    contractRows("^audio\\."),
    unit("sandbox/speech/*"),
  ],
  mutants: [
    {
      does: "4097 characters are sent",
      file: "src/api/endpoints/audio.ts",
      find: "max(4096)",
      replace: "max(4097)",
    },
    {
      does: "the sandbox accepts 4097 characters",
      file: `${speech}/requests.ts`,
      find: "max(4096)",
      replace: "max(4097)",
    },
    { does: "a speed of 0.2", file: "src/api/endpoints/audio.ts", find: "min(0.25)", replace: "min(0.2)" },
    {
      does: "the sandbox accepts a speed of 4.1",
      file: `${speech}/requests.ts`,
      find: "min(0.25).max(4)",
      replace: "min(0.25).max(4.1)",
    },
    {
      does: "a style may have 501 characters",
      file: "src/api/endpoints/audio.ts",
      find: "max(500)",
      replace: "max(501)",
    },
    {
      does: "a language hint may have one letter",
      file: "src/api/endpoints/audio.ts",
      find: "min(2).max(32)",
      replace: "min(1).max(32)",
    },
    {
      does: "speech is resent",
      file: "src/api/endpoints/audio.ts",
      find: '    accept: "audio/*, application/json",\n    resend: "billed",',
      replace: '    accept: "audio/*, application/json",\n    resend: "keyed",',
    },
    {
      does: "a cloned voice works with any model",
      file: `${speech}/requests.ts`,
      find: "if (cloned && cloned.model !== model.id) {",
      replace: "if (cloned && cloned.model === name) {",
    },
    {
      does: "every model can clone voices",
      file: `${speech}/handlers.ts`,
      find: "if (!model.clonesVoices) throw",
      replace: "if (!model.id) throw",
    },
    {
      does: "a sample of half a second is enough",
      file: `${speech}/clonedVoices.ts`,
      find: "const fewestSeconds = 1;",
      replace: "const fewestSeconds = 0.4;",
    },
    {
      does: "speech is charged by UTF-16 units",
      file: `${speech}/handlers.ts`,
      find: "[...request.input].length",
      replace: "request.input.length",
    },
    {
      does: "the client counts UTF-16 units",
      file: "src/api/money/charge.ts",
      find: "characters: [...textIn(input.input)].length",
      replace: "characters: textIn(input.input).length",
    },
    {
      does: "speech is never streamed",
      file: `${speech}/requests.ts`,
      find: "    language,\n    streaming,\n",
      replace: "    language,\n    streaming: false,\n",
    },
    {
      does: "speed does nothing",
      file: `${speech}/speak.ts`,
      find: "secondsPerLetter) / speed",
      replace: "secondsPerLetter)",
    },
    {
      does: "speech counts towards the window of image models",
      file: "src/sandbox/catalog/catalog.ts",
      find: 'model.type === "tts" ? typeLimits.audio : typeLimits.image',
      replace: "typeLimits.image",
    },
    {
      does: "voice handles are the same in both dialects",
      file: `${speech}/clonedVoices.ts`,
      find: 'venice: "vv"',
      replace: 'venice: "voice"',
    },
  ],
};
