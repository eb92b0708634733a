import { useState } from "preact/hooks";
import type { PlayerState, SpeechModelCard } from "../protocol/speechProtocol.ts";
import { PlayerIconButton } from "./icons.ts";
import type { PlayerModel } from "./playerModel.ts";

export interface VoiceListProps {
  readonly state: PlayerState;
  readonly card: SpeechModelCard;
  readonly model: PlayerModel;
  readonly onVoice: (voice: string) => void;
}

/** The voices of the model with search, preview and selection; cloned voices first. */
export function VoiceList({ state, card, model, onVoice }: VoiceListProps) {
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const fits = (text: string) => text.toLowerCase().includes(words);
  const own = state.clonedVoices.map(({ handle, name, age }) => ({ voice: handle, name, age }));
  const listed = card.voices.map((voice) => ({ voice, name: voice, age: undefined }));
  const rows = [...own, ...listed].filter(({ name }) => fits(name));
  const { previewed } = model;
  return (
    <fieldset class="voices">
      <legend>Voice of {card.name}</legend>
      <div class="row">
        <input
          type="search"
          aria-label="Search voices"
          placeholder={`Search ${own.length + listed.length} voices`}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        {card.cloning && (
          <button type="button" class="button" onClick={() => model.bridge.post("cloneVoice", {})}>
            Clone a Voice…
          </button>
        )}
      </div>
      <ul>
        {rows.map(({ voice, name, age }) => (
          <li key={voice}>
            <label>
              <input
                type="radio"
                name="voice"
                value={voice}
                checked={state.choice.voice === voice}
                onChange={() => onVoice(voice)}
              />{" "}
              {name}
              {age && <span class="quiet"> · {age}</span>}
            </label>
            <PlayerIconButton
              name="ear"
              label={`Hear ${name}`}
              pressed={previewed.value === voice}
              onClick={() => model.preview(voice)}
            />
            {age && (
              <PlayerIconButton
                name="trash"
                label={`Forget ${name}`}
                onClick={() => model.bridge.post("forgetVoice", { handle: voice })}
              />
            )}
          </li>
        ))}
      </ul>
      {rows.length === 0 && (
        <p class="quiet">{words ? "No voice has this name." : "The model has a single voice."}</p>
      )}
    </fieldset>
  );
}
