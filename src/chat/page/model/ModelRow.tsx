import type { JSX } from "preact";
import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import { plural } from "../../../shared/text/plural.ts";
import type { OptionAttributes } from "../../../webview/ui/listbox.ts";
import { formatModelFacts, formatModelOrigin, formatModelPrice, formatTokens } from "../format.ts";
import { Icon, type IconName } from "../icons.ts";
import { MiddleCut } from "../turn/answer/MiddleCut.tsx";
import type { PickerCard } from "./typedNames.ts";

/** Characters at the end of a model's name that are never cut: the version is there. */
export const nameTail = 5;

export interface ModelRowProps {
  readonly option: OptionAttributes;
  readonly card: PickerCard;
  /** True if the name is what the search field has, so that the row offers to use it. */
  readonly isOffer: boolean;
  readonly isChosen: boolean;
  readonly isFavourite: boolean;
  readonly isCompared: boolean;
  readonly onFavour: () => void;
  readonly onCompare: () => void;
}

/** One model in one line, a typed name in two. Its keys are handled by the search field, which has the focus. */
export function ModelRow({ option, card, isOffer, isChosen, ...mark }: ModelRowProps): JSX.Element {
  return (
    <div
      {...option}
      class={classOf(option, card)}
      aria-disabled={card.offline}
      title={[
        card.name,
        ...(card.standsFor === undefined ? [] : [card.standsFor]),
        formatModelFacts(card),
        ...originOf(card),
        badgesOf(card).join(", "),
        card.description ?? card.id,
      ].join("\n")}
    >
      <span class="picker-name">
        <MiddleCut text={isOffer ? `Use “${card.name}”` : card.name} tail={nameTail} />
        {card.standsFor !== undefined && <span class="ellipsis picker-stands">{card.standsFor}</span>}
      </span>
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

function classOf({ "aria-selected": isActive }: OptionAttributes, { standsFor }: PickerCard): string {
  return `picker-row${isActive ? " active" : ""}${standsFor === undefined ? "" : " named"}`;
}

/** All facts of the active model, because a row has only one line. */
export function ModelDetails({ card }: { readonly card: PickerCard }): JSX.Element {
  return (
    <div class="picker-details" aria-hidden="true">
      {card.standsFor !== undefined && <div>{card.standsFor}</div>}
      <div>{formatModelFacts(card)}</div>
      {originOf(card).map((origin) => (
        <div key={origin}>{origin}</div>
      ))}
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys
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

/** One line, or none of a model without a known origin. */
function originOf(card: ModelCard): readonly string[] {
  const origin = formatModelOrigin(card);
  return origin === "" ? [] : [origin];
}

function badgesOf(card: PickerCard): string[] {
  return [
    ...card.capabilities,
    ...imageBadge(card),
    ...(card.beta ? ["beta"] : []),
    ...card.traits.map((trait) => trait.replaceAll("_", " ")),
    ...(card.privacy === undefined ? [] : [card.privacy]),
    ...(card.restrictedIn === undefined ? [] : [`restricted in: ${card.restrictedIn.join(", ")}`]),
    ...(card.offline ? ["offline"] : []),
    ...(card.retiresAt ? [`retires ${card.retiresAt.slice(0, 10)}`] : []),
    ...(card.replacedBy === undefined ? [] : [`replaced by ${card.replacedBy}`]),
  ];
}

function imageBadge({ maxImages, takesSeveralImages }: ModelCard): readonly string[] {
  if (maxImages !== undefined) return [`up to ${plural(maxImages, "picture")}`];
  return takesSeveralImages ? ["several pictures"] : [];
}
