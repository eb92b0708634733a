import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Models } from "../../../shared/chat/chatModels.ts";
import { maxAnswersAtOnce } from "../../../shared/chat/chatParameters.ts";
import { useDialog } from "../../../webview/ui/dialog.ts";
import { type Listbox, useListbox } from "../../../webview/ui/listbox.ts";
import { usePopupRoom } from "../composer/usePopupRoom.ts";
import { IconButton } from "../icons.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { ProblemNote } from "../turn/answer/Problem.tsx";
import { ModelDetails, ModelRow } from "./ModelRow.tsx";
import { groupModels, type ModelGroup } from "./modelGroups.ts";
import { longestName, namedCard, namedCards, type PickerCard } from "./typedNames.ts";

/** Rows that Page Up and Page Down move by. */
const rowsPerPage = 6;

export interface ModelListProps {
  readonly deps: ChatPageDeps;
  readonly onClose: () => void;
}

/** The model list: search by typing, arrow keys to move, Enter to select. A name that no model has can be used, too. */
export function ModelList({ deps, onClose }: ModelListProps): JSX.Element {
  const models = deps.store.field("models");
  const [search, setSearch] = useState("");
  const [activeId, setActiveId] = useState(deps.store.field("modelId"));
  const dialog = useDialog<HTMLDivElement>({ onClose, focus: "input", closesOutside: true });
  usePopupRoom(dialog.ref, true);
  const typed = typedName(models, search);
  const groups = groupsOf(deps, models, search, typed);
  useNames(deps, typed);
  const cards = groups.flatMap((group) => group.cards);
  const actions = actionsOf(deps, onClose);
  const active = Math.max(
    0,
    cards.findIndex(({ id }) => id === activeId),
  );
  const listbox = useListbox({
    count: cards.length,
    rowsPerPage,
    isTyping: true,
    active,
    onMove: (index) => setActiveId(cards[index]?.id ?? null),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || dialog.handle(event)) return;
    const card = cards[active];
    if (listbox.handle(event)) event.stopPropagation();
    else if (event.key === "Enter" && card && isSearch(event.target)) {
      actions[actionOf(event)](card);
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of its search field
    <div
      class="picker-popup"
      ref={dialog.ref}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => {
        // The search field must keep the focus.
        if (!isSearch(event.target)) event.preventDefault();
      }}
    >
      <div class="picker-head">
        <input
          class="picker-search"
          type="text"
          role="combobox"
          aria-label="Search models"
          aria-expanded="true"
          aria-controls={listbox.id}
          aria-activedescendant={listbox.activeId}
          placeholder="Search, or type a name"
          maxLength={longestName}
          value={search}
          onInput={({ currentTarget }) => {
            setSearch(currentTarget.value);
            setActiveId(null);
          }}
        />
        <IconButton name="close" label="Close Models" onClick={onClose} />
      </div>
      <Note deps={deps} models={models} search={search} isEmpty={cards.length === 0} />
      <NamesProblem deps={deps} />
      <Groups deps={deps} groups={groups} listbox={listbox} actions={actions} />
      {cards[active] && <ModelDetails card={cards[active]} />}
    </div>
  );
}

function isSearch(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement;
}

/** The text of the search field, if it can be used as the name of a model; empty if it is the id of a listed one. */
function typedName(models: Models, search: string): string {
  const text = search.trim();
  const isListed = models.status === "ready" && models.cards.some(({ id }) => id === text);
  return isListed || models.status === "loading" ? "" : text;
}

/** Has the service's names read once a name is typed. After a failure this is repeated by its button. */
function useNames({ store, bridge }: ChatPageDeps, typed: string): void {
  const { status } = store.field("names");
  const isNeeded = typed !== "" && status === "unread";
  useEffect(() => {
    if (isNeeded) bridge.post("readNames", {});
  }, [isNeeded]);
}

function groupsOf(
  { store }: ChatPageDeps,
  models: Models,
  search: string,
  typed: string,
): readonly ModelGroup[] {
  const names = store.field("names");
  const [favouriteIds, recentIds] = [store.field("favouriteIds"), store.field("recentIds")];
  const [modelId, compareIds] = [store.field("modelId"), store.field("compareIds")];
  const inUse = [...(modelId === null ? [] : [modelId]), ...compareIds];
  const others = namedCards(models, names, inUse, [...favouriteIds, ...recentIds]);
  const cards = models.status === "ready" ? [...models.cards, ...others] : [];
  const groups = groupModels(cards, search, { favouriteIds, recentIds });
  if (typed === "" || others.some(({ id }) => id === typed)) return groups;
  return [...groups, { title: "As typed", cards: [namedCard(models, names, typed)], isOffer: true }];
}

interface ModelActions {
  pick(card: PickerCard): void;
  favour(card: PickerCard): void;
  compare(card: PickerCard): void;
}

/** What Enter does with the active model. */
function actionOf(event: KeyboardEvent): "compare" | "favour" | "pick" {
  if (event.ctrlKey || event.metaKey) return "compare";
  return event.altKey ? "favour" : "pick";
}

function actionsOf({ store, bridge }: ChatPageDeps, onClose: () => void): ModelActions {
  return {
    pick({ id, offline }) {
      if (offline) return;
      bridge.post("pickModel", { modelId: id });
      onClose();
    },
    favour({ id }) {
      const isFavourite = store.peek("favouriteIds")?.includes(id) === true;
      bridge.post("favour", { modelId: id, isFavourite: !isFavourite });
    },
    compare({ id, offline }) {
      if (offline || id === store.peek("modelId")) return;
      const compareIds = store.peek("compareIds") ?? [];
      const others = compareIds.filter((other) => other !== id);
      const isNew = others.length === compareIds.length;
      if (isNew && others.length >= maxAnswersAtOnce - 1) return;
      bridge.post("compare", { modelIds: isNew ? [...others, id] : others });
    },
  };
}

interface GroupsProps {
  readonly deps: ChatPageDeps;
  readonly groups: readonly ModelGroup[];
  readonly listbox: Listbox;
  readonly actions: ModelActions;
}

function Groups({ deps: { store }, groups, listbox, actions }: GroupsProps): JSX.Element {
  const modelId = store.field("modelId");
  const compareIds = store.field("compareIds");
  const favouriteIds = store.field("favouriteIds");
  const cards = groups.flatMap((group) => group.cards);
  return (
    <div ref={listbox.ref} class="picker-list" role="listbox" id={listbox.id} aria-label="Models">
      {groups.map(({ title, cards: members, isOffer = false }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be in a listbox
        <div key={title} role="group" aria-label={title}>
          {groups.length > 1 && !isOffer && (
            <div class="picker-group" aria-hidden="true">
              {title}
            </div>
          )}
          {members.map((card) => (
            <ModelRow
              key={card.id}
              option={listbox.option(cards.indexOf(card), () => actions.pick(card))}
              card={card}
              isOffer={isOffer}
              isChosen={card.id === modelId}
              isFavourite={favouriteIds.includes(card.id)}
              isCompared={compareIds.includes(card.id)}
              onFavour={() => actions.favour(card)}
              onCompare={() => actions.compare(card)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Why the service's names are unknown; they were needed. */
function NamesProblem({ deps: { store, bridge } }: { readonly deps: ChatPageDeps }): JSX.Element | null {
  const names = store.field("names");
  if (names.status !== "failed" || store.field("models").status === "failed") return null;
  return (
    <ProblemNote explanation={names.problem} bridge={bridge} onRetry={() => bridge.post("readNames", {})} />
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
