import { Domain } from "../../platform/domain.ts";
import { Lazy } from "../../platform/lazy.ts";
import type { SpeechDeps } from "./deps.ts";
import type { SpeechFeature } from "./speechFeature.ts";

/** Registers speech. The player and the feature are loaded by the first command. */
export function registerSpeech(deps: SpeechDeps): Domain<SpeechFeature> {
  const feature = new Lazy(async () => (await import("./speechFeature.ts")).createSpeechFeature(deps));
  return new Domain(
    feature,
    deps.recents.add({ label: "Speech", list: async () => (await feature.get()).recent() }),
  );
}
