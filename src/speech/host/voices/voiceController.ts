import { hasService, sayFailure } from "../../../session/sandbox/readiness.ts";
import type { SpeechChange, ToPlayer } from "../../protocol/speechProtocol.ts";
import { type PreviewDeps, previewVoice } from "../player/previewVoice.ts";
import { type CloneDeps, cloneVoice, forgetVoice } from "./cloneVoice.ts";

export interface VoiceControllerDeps extends CloneDeps, PreviewDeps {
  readonly post: (message: ToPlayer) => void;
  readonly choose: (change: SpeechChange) => void;
  /** The list of voices has changed. */
  readonly onVoices: () => void;
  readonly onFailure: (error: unknown, voice: string) => void;
}

/** Previews, creates and removes voices. */
export interface VoiceController {
  preview(voice: string): Promise<void>;
  clone(): Promise<void>;
  forget(handle: string): Promise<void>;
}

export function createVoiceController(deps: VoiceControllerDeps): VoiceController {
  const { models, voices, post, choose } = deps;
  const controller: VoiceController = {
    async preview(voice) {
      try {
        post(await previewVoice(deps, voice));
      } catch (error) {
        post({ v: 1, type: "preview", voice, bytes: undefined, mime: "" });
        deps.onFailure(error, voice);
      }
    },
    async clone() {
      if (!(await hasService(deps))) return;
      try {
        const { cards, model } = await models.ensure();
        const voice = await cloneVoice(deps, cards, model);
        if (!voice) return;
        choose({ modelId: voice.modelId });
        choose({ voice: voice.handle });
      } catch (error) {
        sayFailure(deps, error, () => controller.clone());
      }
    },
    async forget(handle) {
      if (!(await forgetVoice(voices, handle)) || !models.loaded) return;
      const { choice, model } = models.loaded;
      if (choice.voice === handle) choose({ voice: model.voices[0] ?? "" });
      deps.onVoices();
    },
  };
  return controller;
}
