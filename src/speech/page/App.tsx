import { useState } from "preact/hooks";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { TopUpCard } from "../../webview/ui/TopUpCard.tsx";
import type { PlayerProblem, PlayerState } from "../protocol/speechProtocol.ts";
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
        <p class="sentence" dir="auto">
          {sentence}
        </p>
      ) : (
        <p class="quiet">
          Select text in an editor and choose <em>Read Selection Aloud</em>, or <em>Read File Aloud</em>.
        </p>
      )}
      {state && loaded && <Costs state={state} />}
      {state && isOpen && <PlayerSettings state={state} model={model} />}
    </main>
  );
}

/** The cost of this reading so far, and of the whole text. */
function Costs({ state }: { readonly state: PlayerState }) {
  const { characters, totalUsd, spentUsd = 0, isFree } = state;
  const count = `${characters.toLocaleString("en-US")} characters`;
  if (totalUsd === undefined) return <p class="quiet">{count}; the service names no price.</p>;
  return (
    <p class="quiet costs">
      {formatUsd(spentUsd, isFree)} paid · {formatUsd(totalUsd, isFree)} for all {count}
    </p>
  );
}

/** A problem, with buttons for its remedies. */
function PlayerProblemView({
  model,
  problem,
}: {
  readonly model: PlayerModel;
  readonly problem: PlayerProblem;
}) {
  const { bridge, playback } = model;
  return (
    <div class="problem" role="alert">
      <p>{problem.sentence}</p>
      {problem.topUp && <TopUpCard topUp={problem.topUp} />}
      <div class="actions">
        {problem.actions.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            class="button"
            onClick={() => {
              bridge.post("act", { action: id, index: playback.loaded.value ? playback.index.value : null });
              if (id === "retry" || id === "otherVoice") playback.play();
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
