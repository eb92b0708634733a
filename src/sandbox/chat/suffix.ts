import { ServiceParameters } from "../../api/endpoints/chatRequest.ts";
import { badField } from "../refusal.ts";

/** The switches that may stand behind a model's id (wire.md section 5). */
const names = new Set([
  "enable_web_search",
  "enable_web_citations",
  "enable_web_scraping",
  "include_venice_system_prompt",
  "include_search_results_in_stream",
  "return_search_results_as_documents",
  "character_slug",
  "strip_thinking_response",
  "disable_thinking",
]);

/** `guide:enable_web_search=on&disable_thinking=true` as the model's name and its switches. */
export function splitSuffix(model: string): { readonly name: string; readonly switches: ServiceParameters } {
  const colon = model.indexOf(":");
  if (colon < 0) return { name: model, switches: {} };
  const given = [...new URLSearchParams(model.slice(colon + 1))];
  const unknown = given.find(([name]) => !names.has(name));
  if (unknown) throw badField(["model"], `Unknown feature suffix "${unknown[0]}"`);
  const parsed = ServiceParameters.safeParse(
    Object.fromEntries(given.map(([name, value]) => [name, flag(value)])),
  );
  if (!parsed.success) {
    throw badField(["model"], `Feature suffix: ${parsed.error.issues[0]?.message ?? "invalid"}`);
  }
  return { name: model.slice(0, colon), switches: parsed.data };
}

function flag(value: string): string | boolean {
  return value === "true" || value === "false" ? value === "true" : value;
}
