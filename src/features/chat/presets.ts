import { ChatPreset } from "../../shared/chatSettings.ts";
import type { Preset } from "../../shared/chatState.ts";

/** Presets as they stand in the editor's settings, and a sentence for each that can't be read. */
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

/** A list of presets with this one in the place of the one of the same name, or at its end. */
export function withPreset(value: unknown, { name, model, settings }: Preset): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const isSame = (entry: unknown) =>
    typeof entry === "object" && entry !== null && "name" in entry && entry.name === name;
  const preset = { name, ...(model === undefined ? {} : { model }), ...settings };
  return list.some(isSame) ? list.map((entry) => (isSame(entry) ? preset : entry)) : [...list, preset];
}
