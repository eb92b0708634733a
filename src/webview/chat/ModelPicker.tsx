import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { ModelCard, Models } from "../../shared/chatState.ts";
import { formatModelFacts } from "./format.ts";
import { Icon } from "./icons.tsx";

export interface ModelPickerProps {
  readonly models: Models;
  readonly modelId: string | null;
  readonly onPick: (modelId: string) => void;
  readonly onReload: () => void;
}

/** The chosen model, and behind it the listing: searched by typing, gone through by arrow keys. */
export function ModelPicker(props: ModelPickerProps): JSX.Element {
  const { models, modelId } = props;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const cards = models.status === "ready" ? models.cards : [];
  const chosen = cards.find(({ id }) => id === modelId);
  return (
    <div class="picker">
      {isOpen && (
        <ModelList
          {...props}
          onPick={(id) => {
            props.onPick(id);
            close();
          }}
          onClose={close}
        />
      )}
      <button
        ref={button}
        type="button"
        class="picker-button"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        title={chosen ? `${chosen.name}\n${formatModelFacts(chosen)}` : "Choose a model"}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="ellipsis">{chosen?.name ?? labelOf(models, modelId)}</span>
        <Icon name="down" />
      </button>
    </div>
  );
}

function labelOf(models: Models, modelId: string | null): string {
  if (models.status === "loading") return modelId ?? "Loading models…";
  if (models.status === "failed") return modelId ?? "Models can't be listed";
  return modelId ?? "No models";
}

function ModelList(props: ModelPickerProps & { readonly onClose: () => void }): JSX.Element {
  const { models, modelId, onPick, onClose, onReload } = props;
  const [search, setSearch] = useState("");
  const cards = models.status === "ready" ? matching(models.cards, search) : [];
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      cards.findIndex(({ id }) => id === modelId),
    ),
  );
  const popup = useRef<HTMLDivElement>(null);
  const listId = useId();
  useEffect(() => {
    const outside = (event: Event) => {
      if (event.target instanceof Node && !popup.current?.parentElement?.contains(event.target)) onClose();
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, []);
  useEffect(() => {
    popup.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive(Math.max(0, Math.min(cards.length - 1, active + step)));
    else if (event.key === "Enter" && cards[active]) onPick(cards[active].id);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
  };
  return (
    <div class="picker-popup" ref={popup}>
      <input
        class="picker-search"
        type="text"
        role="combobox"
        aria-label="Search models"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={cards[active] ? `${listId}-${active}` : undefined}
        placeholder="Search models"
        value={search}
        ref={(element) => element?.focus()}
        onInput={(event) => {
          setSearch(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {models.status === "loading" && <p class="picker-note">Asking the service for its models…</p>}
      {models.status === "failed" && (
        <div class="picker-note">
          <p>{models.problem.sentence}</p>
          <button type="button" class="button primary" onClick={onReload}>
            Retry
          </button>
        </div>
      )}
      {models.status === "ready" && cards.length === 0 && (
        <p class="picker-note">
          {search === "" ? "The service lists no text models." : `No model matches “${search}”.`}
        </p>
      )}
      <div class="picker-list" role="listbox" id={listId} aria-label="Models">
        {cards.map((card, index) => (
          <ModelRow
            key={card.id}
            id={`${listId}-${index}`}
            card={card}
            isActive={index === active}
            isChosen={card.id === modelId}
            onPick={() => onPick(card.id)}
          />
        ))}
      </div>
    </div>
  );
}

interface ModelRowProps {
  readonly id: string;
  readonly card: ModelCard;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onPick: () => void;
}

function ModelRow({ id, card, isActive, isChosen, onPick }: ModelRowProps): JSX.Element {
  const badges = [
    ...card.capabilities,
    ...(card.beta ? ["beta"] : []),
    ...(card.privacy === "private" ? ["private"] : []),
    ...(card.offline ? ["offline"] : []),
    ...(card.retiresAt ? [`retires ${card.retiresAt.slice(0, 10)}`] : []),
  ];
  return (
    <button
      type="button"
      id={id}
      class={isActive ? "picker-row active" : "picker-row"}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      title={card.description ?? card.id}
      onClick={onPick}
    >
      <span class="picker-name">
        <span class="ellipsis">{card.name}</span>
        {isChosen && <Icon name="check" />}
      </span>
      <span class="picker-facts">{formatModelFacts(card)}</span>
      {badges.length > 0 && (
        <span class="badges">
          {badges.map((badge) => (
            <span key={badge} class="badge">
              {badge}
            </span>
          ))}
        </span>
      )}
    </button>
  );
}

/** Models whose name, id, traits or abilities hold every word of the search. */
function matching(cards: readonly ModelCard[], search: string): readonly ModelCard[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return cards;
  return cards.filter(({ id, name, traits, capabilities }) => {
    const text = [id, name, ...traits, ...capabilities].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
