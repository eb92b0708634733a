// The parts of two libraries that the scraper uses. They have no types, or types with other names.
declare module "@mixmark-io/domino" {
  export interface DominoElement {
    readonly children: ArrayLike<DominoElement>;
    getAttribute(name: string): string | null;
    setAttribute(name: string, value: string): void;
    remove(): void;
  }
  export interface DominoDocument {
    readonly title: string;
    readonly body: { readonly innerHTML: string } | null;
    readonly documentElement: DominoElement;
    readonly childNodes: ArrayLike<unknown>;
    querySelector(selector: string): DominoElement | null;
    querySelectorAll(selector: string): ArrayLike<DominoElement>;
    getElementsByTagName(name: string): ArrayLike<DominoElement>;
  }
  /** Parses a page as HTML 5. */
  export function createDocument(html: string, force: true): DominoDocument;
}
declare module "@joplin/turndown-plugin-gfm" {
  /** Tables, strike-through and task lists. */
  export function gfm(service: import("turndown")): void;
}
