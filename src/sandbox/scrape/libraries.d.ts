// The parts of two libraries that the scraper uses; they bring no types, or types under another name.
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
  /** Parses a page as HTML 5 says. */
  export function createDocument(html: string, force: true): DominoDocument;
}
declare module "@joplin/turndown-plugin-gfm" {
  /** Tables, strike-through and task lists. */
  export function gfm(service: import("turndown")): void;
}
