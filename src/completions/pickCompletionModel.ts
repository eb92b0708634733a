import * as vscode from "vscode";
import { visibleItem } from "../platform/editor/dialogs/ask.ts";
import { explain } from "../platform/errors/errorMessage.ts";
import type { ModelCard } from "../shared/chat/chatModels.ts";
import { standsForText } from "../shared/chat/modelNames.ts";
import type { CompletionModels } from "./completionModel.ts";

interface ModelItem extends vscode.QuickPickItem {
  /** As the setting stores it. */
  readonly name: string;
}

/**
 * Asks for a model of the list, or the name of one: what is typed and not listed is offered with what it stands for.
 * Undefined if the user chooses none.
 */
export function pickCompletionModel(
  models: CompletionModels,
  current: string,
  priceText: (card: ModelCard) => string,
): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<ModelItem>();
  const listed = listedItems(models, priceText).map((item) =>
    item.name === current ? { ...item, label: `$(check) ${item.label}` } : item,
  );
  pick.title = "Model of Inline Completions";
  pick.placeholder = "Choose a model, or type the name of one";
  pick.matchOnDescription = true;
  pick.items = listed;
  pick.onDidChangeValue(async (value) => {
    const name = value.trim();
    if (name === "" || models.cards.some(({ id }) => id === name)) {
      pick.items = listed;
      return;
    }
    pick.items = [...listed, offerOf(name, "looked up at the service…")];
    const description = await describe(models, name, priceText);
    if (pick.value === value) pick.items = [...listed, offerOf(name, description)];
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.name);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function offerOf(name: string, description: string): ModelItem {
  return { ...visibleItem({ label: `Use “${name}”`, description }), name, alwaysShow: true };
}

/** What a name stands for, and its price. */
async function describe(
  models: CompletionModels,
  name: string,
  priceText: (card: ModelCard) => string,
): Promise<string> {
  try {
    const named = await models.find(name);
    const price = named.card ? priceText(named.card) : "no listed price";
    return `${standsForText(named, "ready")} · ${price}`;
  } catch (error) {
    return explain(error, { service: "The service" }).sentence;
  }
}

function listedItems(
  { cards }: CompletionModels,
  priceText: (card: ModelCard) => string,
): readonly ModelItem[] {
  const [first] = cards;
  const automatic = {
    label: first?.isLocal ? "The First on This Machine" : "Fastest or Cheapest",
    description: first ? `now ${first.name} · ${priceText(first)}` : "",
    detail:
      "A model on this machine, one for code first; else the one that the service marks as the fastest, or its cheapest one without reasoning.",
    name: "",
  };
  const items = cards.map((card) => ({
    label: card.name,
    description: priceText(card),
    detail: card.description ?? "",
    name: card.id,
  }));
  return [automatic, ...items].map((item) => ({ ...item, ...visibleItem(item) }));
}
