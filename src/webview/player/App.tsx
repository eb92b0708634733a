import { useState } from "preact/hooks";
import { Costs } from "./Costs.tsx";
import { PlayerProblemView } from "./PlayerProblemView.tsx";
import type { PlayerModel } from "./playerModel.ts";
import { Settings } from "./Settings.tsx";
import { Transport } from "./Transport.tsx";

export function App({ model }: { readonly model: PlayerModel }) {
  const [isOpen, setOpen] = useState(false);
  const state = model.state.value;
  const loaded = model.playback.loaded.value;
  const sentence = loaded?.sentences[model.playback.index.value];
  return (
    <main>
      <Transport model={model} isOpen={isOpen} onSettings={() => setOpen(!isOpen)} />
      {state?.problem && <PlayerProblemView model={model} problem={state.problem} />}
      {loaded ? (
        <p class="sentence">{sentence}</p>
      ) : (
        <p class="quiet">
          Select text in an editor and choose <em>Read Selection Aloud</em>, or <em>Read Document Aloud</em>.
        </p>
      )}
      {state && loaded && <Costs state={state} />}
      {state && isOpen && <Settings state={state} model={model} />}
    </main>
  );
}
