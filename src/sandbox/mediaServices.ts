import { parseText } from "./documents/handlers.ts";
import { editImage, generateImage, multiEditImage } from "./images/handlers.ts";
import type { Media, MediaHandler } from "./media.ts";
import { scrapePage } from "./scrape/handlers.ts";
import { searchWeb } from "./search/handlers.ts";
import type { SandboxService, Services } from "./service.ts";
import { createSpeech, createVoice } from "./speech/handlers.ts";

/** Who serves pictures, speech, documents, pages and search. Each holds its input to rules of its own. */
export function mediaServices(media: Media): Services {
  const serve = (handle: MediaHandler): SandboxService => ({
    checksItself: true,
    handle: ({ dialect, catalog, now, billing }, call) =>
      handle({ dialect, catalog, now, billing, media }, call),
  });
  return {
    "POST /images/generations": { ...serve(generateImage), modelType: "image" },
    "POST /image/edit": { ...serve(editImage), modelType: "inpaint" },
    "POST /image/multi-edit": { ...serve(multiEditImage), modelType: "inpaint" },
    "POST /audio/speech": { ...serve(createSpeech), modelType: "tts" },
    "POST /audio/voices": { ...serve(createVoice), modelType: "tts" },
    "POST /augment/search": serve(searchWeb),
    "POST /augment/scrape": serve(scrapePage),
    "POST /augment/text-parser": serve(parseText),
  };
}
