/** The chat's own surroundings, as narrow as a side bar is wide. */
export function makePage(): { readonly root: HTMLElement; readonly scroller: HTMLElement } {
  const made = (parent: HTMLElement, tag: string, className: string) => {
    const element = document.createElement(tag);
    element.className = className;
    parent.append(element);
    return element;
  };
  document.body.replaceChildren();
  const conversation = made(made(document.body, "main", ""), "div", "conversation");
  const scroller = made(conversation, "div", "scroller following");
  const answer = made(made(scroller, "div", "turns"), "article", "turn answer");
  return { root: made(answer, "div", "markdown"), scroller };
}
