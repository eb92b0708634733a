import type { JSX } from "preact";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { Answer } from "./answer/Answer.tsx";

export interface TogetherProps {
  readonly deps: ChatPageDeps;
  /** The answer that the conversation continues from. */
  readonly chosenId: string;
  readonly ids: readonly string[];
  /** Position among all turns, counted from 1. */
  readonly place: number;
  readonly isLast: boolean;
}

/** Alternative answers of one question, side by side if there is room. */
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
        Continue from this answer
      </label>
    </div>
  );
}
