import type { JSX } from "preact";
import { Answer } from "./Answer.tsx";
import type { ChatPageDeps } from "./chatDeps.ts";

export interface TogetherProps {
  readonly deps: ChatPageDeps;
  /** The answer that the conversation goes on from. */
  readonly chosenId: string;
  readonly ids: readonly string[];
  /** Which of all turns they are, from 1. */
  readonly place: number;
  readonly isLast: boolean;
}

/** Answers that were asked for together, next to each other where there is room. */
export function Together({ deps, chosenId, ids, place, isLast }: TogetherProps): JSX.Element {
  return (
    <section class="together" aria-label={`${ids.length} answers`}>
      {ids.map((id) => (
        <Alternatives key={id} deps={deps} id={id} place={place} isChosen={id === chosenId} isLast={isLast} />
      ))}
    </section>
  );
}

interface AlternativesProps {
  readonly deps: ChatPageDeps;
  readonly id: string;
  readonly place: number;
  readonly isChosen: boolean;
  readonly isLast: boolean;
}

function Alternatives({ deps, id, place, isChosen, isLast }: AlternativesProps): JSX.Element | null {
  const message = deps.store.turn(id).value;
  if (message.role !== "assistant") return null;
  return (
    <div class={isChosen ? "beside chosen" : "beside"}>
      <Answer deps={deps} message={message} place={place} isLast={isLast} />
      <label class="choose">
        <input
          type="radio"
          checked={isChosen}
          onChange={() => deps.bridge.post("showBranch", { messageId: id })}
        />
        Go on from this answer
      </label>
    </div>
  );
}
