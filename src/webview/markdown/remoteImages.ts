/** A picture that was fetched: an address that it can be drawn from, or why there is none. */
export type FetchedPicture = { readonly src: string } | { readonly problem: string };

/**
 * Pictures of answers that are somewhere else. Fetching one tells its server that, and when, this answer was read: so
 * it stands as a button until the reader asks for it. The page can reach no network; `ask` has somebody else fetch it.
 */
export interface RemoteImages {
  /** The picture if it has been fetched, else the button that asks for it. */
  place(url: string, name: string): HTMLElement;
  /** Has the picture of this button fetched; false for any other element. */
  load(element: Element): boolean;
  came(url: string, picture: FetchedPicture): void;
}

export function createRemoteImages(ask: (url: string) => void): RemoteImages {
  const fetched = new Map<string, string>();
  /** Of each place, and of its button. Places are looked up in the page: held here, an answer would stay with them. */
  const urls = new WeakMap<Element, string>();
  const isAsked = new Set<string>();

  const placesOf = (url: string) =>
    [...document.querySelectorAll<HTMLElement>(".far-picture")].filter((place) => urls.get(place) === url);
  const show = (element: HTMLElement, src: string, name: string) =>
    element.replaceChildren(pictureOf(src, name));
  const say = (element: HTMLElement, text: string, isBusy: boolean) => {
    const button = element.querySelector("button");
    const hint = element.querySelector(".far-hint");
    if (hint) hint.textContent = text;
    if (button) button.ariaBusy = String(isBusy);
  };
  return {
    place(url, name) {
      const element = document.createElement("span");
      element.className = "far-picture";
      element.dataset.name = name;
      const src = fetched.get(url);
      if (src !== undefined) {
        show(element, src, name);
        return element;
      }
      const button = document.createElement("button");
      button.type = "button";
      button.className = "far-load";
      button.title = url;
      const hint = document.createElement("span");
      hint.className = "far-hint";
      hint.append(isAsked.has(url) ? "loading…" : `load from ${hostOf(url)}`);
      button.append(name || "image", " · ", hint);
      element.append(button);
      for (const one of [element, button]) urls.set(one, url);
      return element;
    },
    load(element) {
      const url = urls.get(element);
      if (url === undefined) return false;
      if (isAsked.has(url)) return true;
      isAsked.add(url);
      for (const place of placesOf(url)) say(place, "loading…", true);
      ask(url);
      return true;
    },
    came(url, picture) {
      isAsked.delete(url);
      const places = placesOf(url);
      if ("problem" in picture) {
        for (const place of places) say(place, picture.problem, false);
        return;
      }
      fetched.set(url, picture.src);
      for (const place of places) show(place, picture.src, place.dataset.name ?? "");
    },
  };
}

/** A picture in the text of an answer. */
export function pictureOf(src: string, name: string): HTMLImageElement {
  const picture = document.createElement("img");
  picture.className = "inline-picture";
  picture.alt = name;
  picture.src = src;
  return picture;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
