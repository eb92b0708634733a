import { json } from "../http/reply.ts";
import { badField, Refusal } from "../refusal.ts";
import type { Handler } from "../state/state.ts";

/** wire.md section 4. */
const types = [
  "asr",
  "embedding",
  "image",
  "music",
  "text",
  "tts",
  "upscale",
  "inpaint",
  "video",
  "all",
  "code",
];

/** GET /models: one type, by default text (wire.md section 4). */
export const listModels: Handler = async ({ catalog, localModels }, { input, signal }) => {
  const type = typeOf(input);
  if (["text", "code", "all"].includes(type)) await localModels.scan(signal);
  const data = catalog.models.filter((model) => {
    if (type === "all") return true;
    if (type === "code") return model.model_spec.capabilities?.optimizedForCode;
    return model.type === type;
  });
  return json({ object: "list", type, data });
};

/** GET /models/{id}: the record of one model (spec E7), which the public service lacks (wire.md section 1). */
export const readModel: Handler = async ({ catalog, localModels, dialect }, { input, route, signal }) => {
  if (dialect.id === "venice") throw new Refusal(404, `No route ${route.id}`);
  const { id } = input as { readonly id: string };
  const known = () => catalog.models.find((model) => model.id === id);
  if (!known()) await localModels.scan(signal);
  const model = known();
  if (model) return json(model);
  throw new Refusal(404, `The model ${id} does not exist`, { param: "id" });
};

/** GET /models/traits. */
export const listTraits: Handler = ({ catalog }, { input }) => {
  const type = typeOf(input);
  return json({ object: "list", type, data: catalog.traits(type) });
};

/** GET /models/compatibility_mapping: only text models have such names. */
export const listMapping: Handler = ({ catalog }, { input }) => {
  const type = typeOf(input);
  return json({ object: "list", type, data: type === "text" ? catalog.mapping : {} });
};

function typeOf(input: unknown): string {
  const type = (input as { type?: string }).type ?? "text";
  if (types.includes(type)) return type;
  throw badField(["type"], `Invalid option: expected one of ${types.join("|")}`);
}
