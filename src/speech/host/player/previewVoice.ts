import { confirmPrice, type PriceDeps } from "../../../session/spend/confirmPrice.ts";
import type { ToPlayer } from "../../protocol/speechProtocol.ts";
import { playableTypes } from "../formats/audioFormat.ts";
import { pcmToWav } from "../formats/wav.ts";
import type { Sounds } from "../sound/sounds.ts";
import type { SoundFormats } from "../soundFormats.ts";
import type { SpeechModels } from "../speechModels.ts";

const text = "This is how I sound.";

export interface PreviewDeps extends PriceDeps {
  readonly models: SpeechModels;
  readonly formats: SoundFormats;
  readonly sounds: Sounds;
}

/** Plays a short sample of a voice of the selected model. A cached sample costs nothing. */
export async function previewVoice(
  deps: PreviewDeps,
  voice: string,
): Promise<Extract<ToPlayer, { readonly type: "preview" }>> {
  const { models, formats, sounds } = deps;
  const { model, choice } = await models.ensure();
  const request = models.toRequest(text, { voice, format: formats.playable(choice.format, model) });
  const detail = `${text.length} characters. Playing it again costs nothing.`;
  const usd = models.usdOf(text.length);
  const question = { action: "speech" as const, title: "Preview a voice", button: "Preview", usd, detail };
  const isWanted = (await sounds.isStored(request)) || (await confirmPrice(deps, question));
  const sound = isWanted ? await sounds.ask(request, { streaming: false }).whole : undefined;
  const bytes = sound && (sound.format === "pcm" ? pcmToWav(sound.bytes) : sound.bytes);
  const mime = playableTypes[sound?.format ?? request.response_format];
  return { v: 1, type: "preview", voice, bytes, mime };
}
