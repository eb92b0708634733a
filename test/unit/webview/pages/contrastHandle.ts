/** Parts of a page with too little contrast: their text and ratio. */
export interface Pale {
  readonly what: string;
  readonly ratio: number;
  readonly colours: readonly [front: string, back: string];
}

/** The colours of a theme, as webviews receive them. */
export interface ThemeColours {
  readonly className: string;
  readonly colours: Readonly<Record<string, string>>;
}

/** The type of `contrastPage` of `contrastPage.ts`, separate for tests that do not know the DOM. */
export interface ContrastPage {
  wear(theme: ThemeColours): void;
  pale(): Pale[];
}
