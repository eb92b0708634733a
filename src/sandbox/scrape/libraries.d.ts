// The part of a library that the scraper uses. It has no types.
declare module "@mixmark-io/domino" {
  export interface DominoNode {
    /** 1 for elements, 3 for texts. */
    readonly nodeType: number;
    readonly firstChild: DominoNode | null;
    readonly nextSibling: DominoNode | null;
    readonly parentNode: DominoNode | null;
    textContent: string;
    remove(): void;
    appendChild(node: DominoNode): void;
    insertBefore(node: DominoNode, next: DominoNode | null): void;
  }
  export interface DominoElement extends DominoNode {
    /** In lower case. */
    readonly localName: string;
    readonly children: ArrayLike<DominoElement>;
    readonly childNodes: ArrayLike<DominoNode>;
    readonly previousElementSibling: DominoElement | null;
    readonly nextElementSibling: DominoElement | null;
    readonly attributes: ArrayLike<{ readonly name: string; readonly value: string }>;
    readonly innerHTML: string;
    /** Of a `template`. */
    readonly content?: DominoNode;
    getAttribute(name: string): string | null;
    hasAttribute(name: string): boolean;
    setAttribute(name: string, value: string): void;
    closest(selector: string): DominoElement | null;
    contains(node: DominoNode): boolean;
    matches(selector: string): boolean;
    /** Undefined where browsers have null. */
    querySelector(selector: string): DominoElement | undefined;
    /** Throws on a selector that it does not know. */
    querySelectorAll(selector: string): ArrayLike<DominoElement>;
    getElementsByTagName(name: string): ArrayLike<DominoElement>;
  }
  export interface DominoDocument {
    readonly title: string;
    readonly body: DominoElement | null;
    readonly documentElement: DominoElement;
    readonly childNodes: ArrayLike<unknown>;
    /** Undefined where browsers have null. */
    querySelector(selector: string): DominoElement | undefined;
    querySelectorAll(selector: string): ArrayLike<DominoElement>;
    getElementsByTagName(name: string): ArrayLike<DominoElement>;
    createElement(name: string): DominoElement;
    createTextNode(text: string): DominoNode;
  }
  /** Parses a page as HTML 5, as a browser without scripts does. */
  export function createDocument(html: string, force: true): DominoDocument;
}
