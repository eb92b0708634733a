import type { Catalog } from "../catalog/catalog.ts";
import type { ModelRecord } from "../catalog/modelRecord.ts";
import type { DocPage } from "./pages.ts";

/** A page about the sandbox's models, generated from the listing. */
export function modelsPage(catalog: Catalog): DocPage {
  const texts = catalog.models.filter((model) => model.type === "text");
  const others = catalog.models.filter((model) => model.type !== "text");
  const text = [
    "# Models of the sandbox",
    "<!-- also: available models list which models model choose prices -->",
    "The sandbox lists these chat models. Their prices are made up to exercise the price display; nothing is charged.",
    "",
    "| Model | What it does | Context | In / out per 1M tokens |",
    "|---|---|--:|--:|",
    ...texts.map(
      (model) => `| ${[`\`${model.id}\``, whatItDoes(model), context(model), price(model)].join(" | ")} |`,
    ),
    "",
    "## Models of other types",
    "<!-- also: image speech edit tts voices pictures -->",
    "Listed too, by type:",
    "",
    "| Model | Type | What it does |",
    "|---|---|---|",
    ...others.map((model) => `| \`${model.id}\` | ${model.type} | ${model.model_spec.description} |`),
    "",
    "## Traits and other names",
    "<!-- also: alias default trait mapping compatibility -->",
    "A trait or another vendor's name can be sent as the model:",
    "",
    "| Name | Stands for |",
    "|---|---|",
    ...Object.entries({ ...catalog.traits("text"), ...catalog.mapping }).map(
      ([name, id]) => `| \`${name}\` | \`${id}\` |`,
    ),
  ];
  return { title: "Models of the sandbox", text: text.join("\n") };
}

function whatItDoes({ model_spec }: ModelRecord): string {
  const retired = model_spec.deprecation ? ` Use \`${model_spec.deprecation.replacementModelId}\`.` : "";
  return `${model_spec.description}${retired}`;
}

function context({ context_length = 0 }: ModelRecord): string {
  return `${Math.round(context_length / 1024)}K`;
}

function price({ model_spec }: ModelRecord): string {
  const { input, output } = model_spec.pricing as { input: { usd: number }; output: { usd: number } };
  return `${input.usd.toFixed(2)} / ${output.usd.toFixed(2)} USD`;
}
