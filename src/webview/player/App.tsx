import { useState } from "preact/hooks";
import { Costs } from "./Costs.tsx";
import { PlayerProblemView } from "./PlayerProblemView.tsx";
import type { PlayerModel } from "./playerModel.ts";
import { PlayerSettings } from "./Settings.tsx";
import { PlaybackBar } from "./Transport.tsx";

export function PlayerApp({ model }: { readonly model: PlayerModel }) {
  const [isOpen, setOpen] = useState(false);
  const state = model.state.value;
  const loaded = model.playback.loaded.value;
  const sentence = loaded?.sentences[model.playback.index.value];
  return (
    <main>
      <PlaybackBar model={model} isOpen={isOpen} onSettings={() => setOpen(!isOpen)} />
      {state?.problem && <PlayerProblemView model={model} problem={state.problem} />}
      {loaded ? (
        <p class="sentence">{sentence}</p>
      ) : (
        <p class="quiet">
          Select text in an editor and choose <em>Read Selection Aloud</em>, or <em>Read Document Aloud</em>.
        </p>
      )}
      {state && loaded && <Costs state={state} />}
      {state && isOpen && <PlayerSettings state={state} model={model} />}
    </main>
  );
}
