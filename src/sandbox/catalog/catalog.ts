import type { DialectId } from "../../api/dialect/dialect.ts";
import { type RateRule, textTiers, typeLimits } from "../limits/rates.ts";
import type { ModelRecord, TextModel } from "./modelRecord.ts";
import { otherModels } from "./otherModels.ts";
import { userModels } from "./textModels.ts";

export interface Catalog {
  readonly models: readonly ModelRecord[];
  /**
   * Finds a text model by id, trait or another vendor's name (spec E10, model). Finds other types by id, else the
   * default (spec E5, E11).
   */
  resolve(type: string, name: string | undefined): ModelRecord | undefined;
  textModel(id: string): TextModel | undefined;
  /** Trait → model id, of one type. */
  traits(type: string): Readonly<Record<string, string>>;
  readonly mapping: Readonly<Record<string, string>>;
  limitOf(model: ModelRecord): RateRule;
  /** Replaces the models of servers on this machine. They are listed first. */
  setLocalModels(models: readonly TextModel[]): void;
}

/** Names of another vendor's models, so that callers need not change theirs. */
const mapping = { "gpt-4o": "guide", "gpt-4o-mini": "guide", "o3-mini": "thinker" };

export interface CatalogOptions {
  readonly dialect?: DialectId;
  /** Text models besides the sandbox's own. */
  readonly moreModels?: readonly TextModel[];
}

export function createCatalog(options: CatalogOptions = {}): Catalog {
  const { dialect = "standard", moreModels = [] } = options;
  const textModels = [...userModels, ...moreModels];
  const ownModels = [...textModels.map(({ record }) => record), ...otherModels(dialect)];
  let models: readonly ModelRecord[] = ownModels;
  const traits = (type: string) => traitsOf(models.filter((model) => model.type === type));
  let texts = new Map(textModels.map((model) => [model.record.id, model]));
  return {
    get models() {
      return models;
    },
    mapping,
    traits,
    textModel: (id) => texts.get(id),
    resolve(type, name = "") {
      const byName = type === "text" ? { ...traits(type), ...mapping } : {};
      const id = Object.hasOwn(byName, name) ? (byName as Readonly<Record<string, string>>)[name] : name;
      const ofType = models.filter((model) => model.type === type);
      const fallback = type === "text" ? undefined : ofType.find(({ id }) => id === traits(type).default);
      return ofType.find((model) => model.id === id) ?? fallback;
    },
    limitOf(model) {
      const text = texts.get(model.id);
      if (text) return textTiers[text.tier];
      if (model.type === "embedding") return { requests: typeLimits.embedding };
      return { requests: model.type === "tts" ? typeLimits.audio : typeLimits.image };
    },
    setLocalModels(local) {
      models = [...local.map(({ record }) => record), ...ownModels];
      texts = new Map([...textModels, ...local].map((model) => [model.record.id, model]));
    },
  };
}

function traitsOf(models: readonly ModelRecord[]): Record<string, string> {
  return Object.fromEntries(
    models.flatMap(({ id, model_spec }) => model_spec.traits.map((trait) => [trait, id])),
  );
}
