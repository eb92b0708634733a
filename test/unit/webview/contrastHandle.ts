/** Parts of a page with too little contrast: their text and ratio. */
export interface Pale {
  readonly what: string;
  readonly ratio: number;
  readonly colours: readonly [front: string, back: string];
}

/** The colours of a theme, as a webview is given them. */
export interface ThemeColours {
  readonly className: string;
  readonly colours: Readonly<Record<string, string>>;
}

/** What `contrastPage.ts` gives any page as `contrastPage`. Apart from it, for tests that know no document. */
export interface ContrastPage {
  wear(theme: ThemeColours): void;
  pale(): Pale[];
}
