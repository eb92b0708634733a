import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { Preset } from "../../protocol/chatState.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";

/** The presets, with buttons to save and edit them. */
export function PresetBar({ deps: { store, bridge } }: { readonly deps: ChatPageDeps }): JSX.Element {
  const id = useId();
  const presets = store.field("presets");
  const settings = JSON.stringify(store.field("settings"));
  const chosen = presets.findIndex((preset) => JSON.stringify(preset.settings) === settings);
  const apply = (preset: Preset | undefined) => {
    if (preset) bridge.post("applyPreset", { name: preset.name });
  };
  return (
    <div class="preset-bar">
      <label for={id}>Preset</label>
      <select
        id={id}
        value={String(chosen)}
        disabled={presets.length === 0}
        onChange={({ currentTarget }) => apply(presets[Number(currentTarget.value)])}
      >
        <option value="-1">{presets.length === 0 ? "none yet" : "none"}</option>
        {presets.map(({ name }, index) => (
          <option key={`${index} ${name}`} value={String(index)}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" class="link" onClick={() => bridge.post("savePreset", {})}>
        Save…
      </button>
      <button type="button" class="link" onClick={() => bridge.post("openPresets", {})}>
        Edit
      </button>
      {store.field("presetProblems").map((problem) => (
        <p key={problem} class="setting-note wrong">
          {problem}
        </p>
      ))}
    </div>
  );
}
