import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Models } from "../../../shared/chat/chatModels.ts";
import { chosenCard } from "../details/chosenCard.ts";
import { formatModelFacts } from "../format.ts";
import { Icon } from "../icons.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { MiddleCut } from "../turn/answer/MiddleCut.tsx";
import { ModelList } from "./ModelList.tsx";
import { nameTail } from "./ModelRow.tsx";
import { namedCard, type PickerCard } from "./typedNames.ts";

/** The button with the selected model, which opens the list. */
export function ModelPicker({ deps }: { readonly deps: ChatPageDeps }): JSX.Element {
  const models = deps.store.field("models");
  const modelId = deps.store.field("modelId");
  const compareIds = deps.store.field("compareIds");
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const names = deps.store.field("names");
  const card = chosenCard(deps);
  const named =
    modelId === null || models.status !== "ready" || card?.id === modelId
      ? undefined
      : namedCard(models, names, modelId);
  const chosen = named ?? card;
  return (
    <div class="picker">
      {isOpen && <ModelList deps={deps} onClose={close} />}
      <button
        ref={button}
        type="button"
        class="picker-button"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        title={chosen ? titleOf(chosen) : "Choose a model"}
        onClick={() => setOpen(!isOpen)}
      >
        {models.status === "failed" && <Icon name="warning" />}
        <MiddleCut text={chosen?.name ?? labelOf(models, modelId)} tail={nameTail} />
        {named && card && <span class="ellipsis picker-stands">{card.name}</span>}
        {compareIds.length > 0 && <span class="count">+{compareIds.length}</span>}
        <Icon name="down" />
      </button>
    </div>
  );
}

function titleOf(card: PickerCard): string {
  const { name, standsFor } = card;
  return [name, ...(standsFor === undefined ? [] : [standsFor]), formatModelFacts(card)].join("\n");
}

function labelOf({ status }: Models, modelId: string | null): string {
  if (modelId !== null) return modelId;
  if (status === "loading") return "Loading models…";
  return status === "failed" ? "Models unavailable" : "No models";
}
