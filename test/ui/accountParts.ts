import type { Workbench } from "./workbench.ts";

/** What tests of the account look for in a window. */
export function accountParts(workbench: () => Workbench) {
  const page = () => workbench().page;
  const input = () => page().locator(".quick-input-widget");
  return {
    /** The input box or list at the top. */
    input,
    asked: (text: string) => input().getByText(text).first().waitFor(),
    offered: (placeholder: string) => input().getByPlaceholder(placeholder).waitFor(),
    dialog: () => page().locator(".monaco-dialog-box"),
    /** The title of a view in the side bar. */
    section: (name: string) => page().locator(".part.sidebar .pane-header").filter({ hasText: name }).first(),
    /** A row of a tree in the side bar. */
    row: (text: string) => page().locator(".part.sidebar .monaco-list-row").filter({ hasText: text }).first(),
  };
}
