import type { PlayerProblem } from "../../shared/speechProtocol.ts";
import type { PlayerModel } from "./playerModel.ts";

/** What went wrong, with the buttons that help. */
export function PlayerProblemView({
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
      <div class="actions">
        {problem.actions.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            class="button"
            onClick={() => {
              bridge.post("act", { action: id, index: playback.loaded.value ? playback.index.value : null });
              if (id === "retry") playback.play();
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
