import { visibleText } from "./visibleText.ts";

/**
 * Text from elsewhere as the editor's messages and boxes show it: nothing in it hides. They make a link of `[label](command:…)`, and such a
 * link runs the command: what a service, a model or a file says must not become one.
 */
export function withoutLinks(text: string): string {
  return visibleText(text).replaceAll("](", "] (");
}
