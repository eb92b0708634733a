import { visibleText } from "./visibleText.ts";

/**
 * Untrusted text for messages and input boxes of VS Code, with hidden characters made visible. VS Code turns
 * `[label](command:…)` into a link that runs the command, so links of a service, a model or a file are removed.
 */
export function withoutLinks(text: string): string {
  return visibleText(text).replaceAll("](", "] (");
}
