import type { JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ModelCard, Models } from "../../shared/chatModels.ts";
import { maxAnswersAtOnce } from "../../shared/chatParameters.ts";
import type { ChatPageDeps } from "./chatDeps.ts";
import { usePopupRoom } from "./composer/usePopupRoom.ts";
import { formatModelFacts, formatModelPrice, formatTokens } from "./format.ts";
import { Icon, IconButton, type IconName } from "./icons.ts";
import { groupModels } from "./modelGroups.ts";
import { ProblemNote } from "./Problem.tsx";

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 };

export interface ModelListProps {
  readonly deps: ChatPageDeps;
  readonly onClose: () => void;
}

/** The model list: search by typing, arrow keys to move, Enter to select. */
export function ModelList({ deps, onClose }: ModelListProps): JSX.Element {
  const models = deps.store.field("models");
  const modelId = deps.store.field("modelId");
  const compareIds = deps.store.field("compareIds");
  const marked = {
    favouriteIds: deps.store.field("favouriteIds"),
    recentIds: deps.store.field("recentIds"),
  };
  const [search, setSearch] = useState("");
  const [activeId, setActiveId] = useState(modelId);
  const popup = useRef<HTMLDivElement>(null);
  const listId = useId();
  const groups = models.status === "ready" ? groupModels(models.cards, search, marked) : [];
  const cards = groups.flatMap((group) => group.cards);
  const active = Math.max(
    0,
    cards.findIndex(({ id }) => id === activeId),
  );
  usePopupRoom(popup, true);
  useLayoutEffect(() => popup.current?.querySelector("input")?.focus(), []);
  useEffect(() => {
    const outside = ({ target }: Event) => {
      if (target instanceof Node && !popup.current?.parentElement?.contains(target)) onClose();
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, []);
  useEffect(() => {
    popup.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active, models.status]);
  const pick = (card: ModelCard | undefined) => {
    if (!card || card.offline) return;
    deps.bridge.post("pickModel", { modelId: card.id });
    onClose();
  };
  const favour = ({ id }: ModelCard) =>
    deps.bridge.post("favour", { modelId: id, isFavourite: !marked.favouriteIds.includes(id) });
  const compare = ({ id, offline }: ModelCard) => {
    if (offline || id === modelId) return;
    const others = compareIds.filter((other) => other !== id);
    const isNew = others.length === compareIds.length;
    if (isNew && others.length >= maxAnswersAtOnce - 1) return;
    deps.bridge.post("compare", { modelIds: isNew ? [...others, id] : others });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = steps[event.key];
    if (step !== undefined) {
      setActiveId(cards[Math.max(0, Math.min(cards.length - 1, active + step))]?.id ?? null);
    } else if (event.key === "Enter" && cards[active]) {
      if (event.ctrlKey || event.metaKey) compare(cards[active]);
      else if (event.altKey) favour(cards[active]);
      else pick(cards[active]);
    } else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus where it is
    <div
      class="picker-popup"
      ref={popup}
      onMouseDown={(event) => {
        // The search field handles the keys, so a click must not take its focus.
        if (event.target !== popup.current?.querySelector("input")) event.preventDefault();
      }}
    >
      <div class="picker-head">
        <input
          class="picker-search"
          type="text"
          role="combobox"
          aria-label="Search models"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={cards[active] && `${listId}-${active}`}
          placeholder="Search models"
          value={search}
          onInput={({ currentTarget }) => {
            setSearch(currentTarget.value);
            setActiveId(null);
          }}
          onKeyDown={onKeyDown}
        />
        <IconButton name="close" label="Close Models" onClick={onClose} />
      </div>
      <Note deps={deps} models={models} search={search} isEmpty={cards.length === 0} />
      <div class="picker-list" role="listbox" id={listId} aria-label="Models">
        {groups.map(({ title, cards: members }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset can't stand in a listbox
          <div key={title} role="group" aria-label={title}>
            {groups.length > 1 && (
              <div class="picker-group" aria-hidden="true">
                {title}
              </div>
            )}
            {members.map((card) => (
              <ModelRow
                key={card.id}
                id={`${listId}-${cards.indexOf(card)}`}
                card={card}
                isActive={card === cards[active]}
                isChosen={card.id === modelId}
                isFavourite={marked.favouriteIds.includes(card.id)}
                isCompared={compareIds.includes(card.id)}
                onFavour={() => favour(card)}
                onCompare={() => compare(card)}
                onPick={() => pick(card)}
              />
            ))}
          </div>
        ))}
      </div>
      {cards[active] && <Details card={cards[active]} />}
    </div>
  );
}

interface NoteProps {
  readonly deps: ChatPageDeps;
  readonly models: Models;
  readonly search: string;
  readonly isEmpty: boolean;
}

/** The reason why the list is empty. */
function Note({ deps: { bridge }, models, search, isEmpty }: NoteProps): JSX.Element | null {
  if (models.status === "loading") return <p class="picker-note">Loading models…</p>;
  if (models.status === "failed") {
    return (
      <ProblemNote
        explanation={models.problem}
        bridge={bridge}
        onRetry={() => bridge.post("reloadModels", {})}
      />
    );
  }
  if (!isEmpty) return null;
  const words = search === "" ? "The service lists no text models." : `No model matches “${search}”.`;
  return <p class="picker-note">{words}</p>;
}

interface ModelRowProps {
  readonly id: string;
  readonly card: ModelCard;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly isFavourite: boolean;
  readonly isCompared: boolean;
  readonly onFavour: () => void;
  readonly onCompare: () => void;
  readonly onPick: () => void;
}

function ModelRow({ id, card, isActive, isChosen, onPick, ...mark }: ModelRowProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the search field, which points here by aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field hears the keys
    <div
      id={id}
      class={isActive ? "picker-row active" : "picker-row"}
      role="option"
      aria-selected={isActive}
      aria-disabled={card.offline}
      title={[card.name, formatModelFacts(card), badgesOf(card).join(", "), card.description ?? card.id].join(
        "\n",
      )}
      onClick={onPick}
    >
      <span class="picker-name ellipsis">{card.name}</span>
      {isChosen && <Icon name="check" />}
      <span class="gap" />
      {card.offline && <span class="badge">offline</span>}
      {card.contextTokens !== undefined && (
        <span class="picker-facts picker-context">{formatTokens(card.contextTokens)}</span>
      )}
      <span class="picker-facts">{formatModelPrice(card)}</span>
      <span class="visually-hidden">{badgesOf(card).join(", ")}</span>
      <Mark
        name="compare"
        label={mark.isCompared ? "Remove from Comparison" : "Compare (Ctrl+Enter)"}
        isOn={mark.isCompared}
        onClick={mark.onCompare}
      />
      <Mark
        name={mark.isFavourite ? "starred" : "star"}
        label={mark.isFavourite ? "Remove from Favourites (Alt+Enter)" : "Add to Favourites (Alt+Enter)"}
        isOn={mark.isFavourite}
        onClick={mark.onFavour}
      />
    </div>
  );
}

/** All facts of the active model, because a row has only one line. */
function Details({ card }: { readonly card: ModelCard }): JSX.Element {
  return (
    <div class="picker-details" aria-hidden="true">
      <div>{formatModelFacts(card)}</div>
      <div class="badges">
        {badgesOf(card).map((badge) => (
          <span key={badge} class="badge">
            {badge}
          </span>
        ))}
      </div>
    </div>
  );
}

interface MarkProps {
  readonly name: IconName;
  readonly label: string;
  readonly isOn: boolean;
  readonly onClick: () => void;
}

/** A mouse target inside an option; its keys are handled by the search field. */
function Mark({ name, label, isOn, onClick }: MarkProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field hears the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: an option can hold no button
    <span
      class={isOn ? "mark on" : "mark"}
      title={label}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      <Icon name={name} />
    </span>
  );
}

function badgesOf(card: ModelCard): string[] {
  return [
    ...card.capabilities,
    ...(card.beta ? ["beta"] : []),
    ...card.traits.map((trait) => trait.replaceAll("_", " ")),
    ...(card.privacy === undefined ? [] : [card.privacy]),
    ...(card.offline ? ["offline"] : []),
    ...(card.retiresAt ? [`retires ${card.retiresAt.slice(0, 10)}`] : []),
  ];
}
