import { ChatPreset } from "../protocol/chatSettings.ts";
import type { Preset } from "../protocol/chatState.ts";
import { withoutAgent } from "../protocol/chatUsable.ts";
import type { LiveChat } from "./conversation/liveChat.ts";
import type { ModelListing } from "./model/modelListing.ts";

/** Data that outlives a conversation: presets, favourite models and recently used models. */
export interface ModelPreferences {
  presets(): { readonly presets: readonly Preset[]; readonly problems: readonly string[] };
  onDidChangePresets(listener: () => void): { dispose(): void };
  /** Asks for a name and saves the settings under it. */
  savePreset(preset: Pick<Preset, "settings" | "model">): Promise<void>;
  /** Opens the setting that holds the presets. */
  openPresets(): Promise<void>;
  modelIds(list: ModelIdList): readonly string[];
  setModelIds(list: ModelIdList, ids: readonly string[]): void;
}
export type ModelIdList = "favourite" | "recent";

export interface ControlsDeps {
  readonly chat: LiveChat;
  readonly listing: Pick<ModelListing, "pick">;
  readonly preferences: ModelPreferences;
}

/** The settings of the conversation, and the models to choose from. */
export interface ChatControls {
  applyPreset(preset: Pick<Preset, "name">): void;
  savePreset(): Promise<void>;
  compare(modelIds: readonly string[]): void;
  favour(modelId: string, isFavourite: boolean): void;
  /** Marks these models as recently used. */
  asked(modelIds: readonly string[]): void;
  /** Reloads presets, models and lists. */
  load(): void;
  dispose(): void;
}

const recentLength = 5;

export function createControls({ chat, listing, preferences }: ControlsDeps): ChatControls {
  const load = () => {
    const { presets, problems } = preferences.presets();
    const lists = {
      favouriteIds: preferences.modelIds("favourite"),
      recentIds: preferences.modelIds("recent"),
    };
    chat.set({ presets, presetProblems: problems, ...lists });
  };
  const watching = preferences.onDidChangePresets(load);
  return {
    load,
    applyPreset({ name }) {
      const preset = chat.state.presets.find((one) => one.name === name);
      if (!preset) return;
      chat.set({ settings: preset.settings });
      if (preset.model !== undefined) listing.pick(preset.model);
    },
    savePreset: () => {
      const { settings, modelId } = chat.state;
      return preferences.savePreset({
        settings: withoutAgent(settings),
        ...(modelId === null ? {} : { model: modelId }),
      });
    },
    compare(modelIds) {
      chat.set({ compareIds: [...new Set(modelIds)].filter((id) => id !== chat.state.modelId) });
    },
    favour(modelId, isFavourite) {
      const others = preferences.modelIds("favourite").filter((id) => id !== modelId);
      const favouriteIds = isFavourite ? [...others, modelId] : others;
      preferences.setModelIds("favourite", favouriteIds);
      chat.set({ favouriteIds });
    },
    asked(modelIds) {
      const others = preferences.modelIds("recent").filter((id) => !modelIds.includes(id));
      const recentIds = [...modelIds, ...others].slice(0, recentLength);
      preferences.setModelIds("recent", recentIds);
      chat.set({ recentIds });
    },
    dispose: () => watching.dispose(),
  };
}

/** The presets in the settings, and a sentence for each that can't be read. */
export function readPresets(value: unknown): {
  readonly presets: readonly Preset[];
  readonly problems: readonly string[];
} {
  if (value === undefined) return { presets: [], problems: [] };
  if (!Array.isArray(value)) return { presets: [], problems: ["The setting for presets must be a list."] };
  const presets: Preset[] = [];
  const problems: string[] = [];
  for (const [index, entry] of value.entries()) {
    const parsed = ChatPreset.safeParse(entry);
    if (parsed.success) {
      const { name, model, ...settings } = parsed.data;
      presets.push({ name, settings, ...(model === undefined ? {} : { model }) });
    } else {
      const [issue] = parsed.error.issues;
      const field = [index, ...(issue?.path ?? [])].join(".");
      problems.push(`A preset of your settings can't be used: ${field}: ${issue?.message ?? "unreadable"}.`);
    }
  }
  return { presets, problems };
}

/** The list with this preset in place of the one of the same name, or at its end. */
export function withPreset(value: unknown, { name, model, settings }: Preset): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const isSame = (entry: unknown) =>
    typeof entry === "object" && entry !== null && "name" in entry && entry.name === name;
  const preset = { name, ...(model === undefined ? {} : { model }), ...settings };
  return list.some(isSame) ? list.map((entry) => (isSame(entry) ? preset : entry)) : [...list, preset];
}
