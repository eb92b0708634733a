import * as vscode from "vscode";
import { choose } from "../../platform/editor/dialogs/ask.ts";
import { readSettings } from "../../platform/settings.ts";
import { settings } from "../../shared/names/ids.ts";

export interface ProviderCard {
  readonly value: "provider_a" | "provider_b";
  readonly label: string;
  /** Privacy of a query at the provider (spec E2). */
  readonly detail: string;
}

const cards: readonly ProviderCard[] = [
  { value: "provider_a", label: "Provider A", detail: "It does not store or log queries." },
  {
    value: "provider_b",
    label: "Provider B",
    detail:
      "It gets queries through the service, without your identity. The service does not store or log them.",
  },
];
const veniceNames = { provider_a: "Brave", provider_b: "Google" } as const;

/** The providers with their names in the dialect. */
function providerCards(dialect: string): readonly ProviderCard[] {
  return dialect === "venice" ? cards.map((card) => ({ ...card, label: veniceNames[card.value] })) : cards;
}

export function providerInUse(dialect: string): ProviderCard {
  const { provider } = readSettings().search;
  const [first, second] = providerCards(dialect) as [ProviderCard, ProviderCard];
  return provider === second.value ? second : first;
}

/** Lets the user choose the provider, and writes the choice to the user settings. */
export async function chooseProvider(dialect: string): Promise<void> {
  const answer = await choose({
    title: "Search Provider",
    placeholder: "Your choice is saved in the user settings",
    items: [...providerCards(dialect)],
    active: readSettings().search.provider,
  });
  if (typeof answer !== "object") return;
  await vscode.workspace
    .getConfiguration()
    .update(settings.webSearchProvider, answer.value, vscode.ConfigurationTarget.Global);
}
