import { toBytes } from "../api/binary.ts";
import type { Model } from "../api/endpoints/models.ts";
import { inputAmount } from "../api/money/estimate.ts";
import { Refusal } from "../platform/errors/refusal.ts";
import type { Client } from "../session/session.ts";
import { formatUsd } from "../shared/money/formatUsd.ts";
import { serviceToolNames } from "../shared/names/ids.ts";
import { type SpeechFormat, speechFormats } from "../shared/sound/speechFormats.ts";
import { chooseModel } from "./chooseModel.ts";
import type { ResultFiles } from "./files/resultFiles.ts";
import {
  inputText,
  maxPartBytes,
  type ServiceTool,
  type ToolContent,
  type ToolInput,
  toolSchema,
} from "./serviceTool.ts";

const mimes: Readonly<Record<SpeechFormat, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};
/** Bytes of a sound: 4,096 characters are a few minutes, uncompressed less than this. */
const maxSoundBytes = 64 * 1024 * 1024;

/** A tool that speaks a text and saves the sound. */
export function createSpeechTool(results: ResultFiles): ServiceTool {
  const choose = async (input: ToolInput, client: Client, signal: AbortSignal) => {
    const characters = [...inputText(input, "text")].length;
    const usdOf = (model: Model) => inputAmount(model, characters).usd?.[1];
    const chosen = await chooseModel(input, client, signal, { type: "tts", purpose: "speak", usdOf });
    checkVoice(input, chosen.model);
    return chosen;
  };
  return {
    name: serviceToolNames.speakText,
    title: "Speak a text",
    description:
      "Speaks a text of at most 4,096 characters. The result is the path of a sound file, usually MP3, and the sound if it is small. It is not played. Costs the price of the model by character, usually less than $0.05 for 1,000 characters.",
    userDescription: "Speaks a text, and saves the sound as a file.",
    parameters: toolSchema(
      {
        text: { type: "string", minLength: 1, maxLength: 4096, description: "The text to speak." },
        voice: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "Default: the model's first voice.",
        },
        model: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "Id of a speech model. Default: the service's.",
        },
      },
      ["voice", "model"],
    ),
    isReadOnly: false,
    async prepare(input, client, signal) {
      const { model, usd } = await choose(input, client, signal);
      const { length } = inputText(input, "text");
      const details = [`${client.connection.name} receives the text.`];
      const summary = `Speak ${length.toLocaleString("en-US")} characters with ${model.id}`;
      return { summary, usd, asks: "price", details, button: "Speak" };
    },
    async run(input, client, signal) {
      const { model, usd } = await choose(input, client, signal);
      const format = formatOf(model);
      const voice = inputText(input, "voice") || model.model_spec?.voices?.[0];
      const reply = await client.api.audio.speech(
        {
          input: inputText(input, "text"),
          model: model.id,
          response_format: format,
          ...(voice ? { voice } : {}),
        },
        { signal },
      );
      const bytes = await toBytes(reply, { maxBytes: maxSoundBytes });
      const path = await results.save("sound", format, bytes);
      const price =
        usd === undefined ? "" : ` Price: ${formatUsd(usd, client.connection.kind === "sandbox")}.`;
      const text = `The sound was saved as ${path}.${price}`;
      const part: ToolContent = { kind: "audio", mime: mimes[format], bytes };
      return bytes.byteLength <= maxPartBytes ? [{ kind: "text", text }, part] : [{ kind: "text", text }];
    },
  };
}

/** Voices that a refusal lists. */
const mostVoices = 30;

/** Handles of cloned voices are not listed, so only a model with voices and no cloning is checked. */
function checkVoice(input: ToolInput, { id, model_spec: spec }: Model): void {
  const voice = inputText(input, "voice");
  const voices = spec?.voices ?? [];
  const clones = Boolean(spec?.voice_cloning ?? spec?.capabilities?.voice_cloning);
  if (voice === "" || voices.length === 0 || clones || voices.includes(voice)) return;
  const listed = voices.slice(0, mostVoices).join(", ");
  throw new Refusal(`Nothing was sent. voice: ${id} has no voice ${voice}. It has: ${listed}.`);
}

/** MP3 if the model has it, else the first format that it lists. */
function formatOf({ model_spec: spec }: Model): SpeechFormat {
  const listed = speechFormats.filter((format) => spec?.supported_formats?.includes(format));
  const own = speechFormats.find((format) => format === spec?.default_format);
  return listed.find((format) => format === "mp3") ?? listed[0] ?? own ?? "mp3";
}
