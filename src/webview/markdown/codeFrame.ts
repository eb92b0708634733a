const sources = new WeakMap<Element, () => string>();

/** What stands around code: its language and its buttons. They are told apart from the answer's own text by their class. */
export function codeFrame(
  parent: Element,
  language: string,
  source: () => string,
): { readonly code: HTMLElement } {
  const frame = document.createElement("div");
  frame.className = "code-frame";
  const head = document.createElement("div");
  head.className = "code-head";
  const name = document.createElement("span");
  name.className = "code-language";
  name.append(language);
  const copy = document.createElement("button");
  copy.className = "code-copy";
  copy.type = "button";
  copy.append("Copy");
  copy.setAttribute("aria-label", language ? `Copy ${language} code` : "Copy code");
  head.append(name, copy);
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  const code = document.createElement("code");
  pre.append(code);
  frame.append(head, pre);
  parent.append(frame);
  sources.set(copy, source);
  return { code };
}

/** The code that a copy button belongs to; undefined for any other element. */
export function codeOfButton(element: Element): string | undefined {
  return sources.get(element)?.();
}
