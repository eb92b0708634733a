import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { shortened } from "../../../shared/text/shortened.ts";

/** The members of an object or array are created when it is opened, this many at a time. */
const membersAtOnce = 200;
/** Members up to this depth are open at first. */
const openDepth = 2;
const longestText = 500;

/** JSON as a collapsible tree; undefined if the text is not an object or array. */
export function jsonTree(source: string): HTMLElement | undefined {
  const value = parseJson(source);
  if (typeof value !== "object" || value === null) return undefined;
  const root = made("div", "json-tree");
  root.append(branch(undefined, value, 0));
  return root;
}

function branch(name: string | undefined, value: object, depth: number): HTMLElement {
  const members = Object.entries(value);
  const isList = Array.isArray(value);
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  if (name !== undefined) summary.append(key(name), ": ");
  const count = `${members.length} ${isList ? "item" : "member"}${members.length === 1 ? "" : "s"}`;
  const size = made("span", "json-size");
  size.append(isList ? `[${count}]` : `{${count}}`);
  summary.append(size);
  details.append(summary);
  const list = made("div", "json-members");
  const fill = () => {
    if (list.parentNode) return;
    details.append(list);
    more(list, members, 0, depth);
  };
  details.addEventListener("toggle", fill);
  if (depth < openDepth && members.length <= 50) {
    details.open = true;
    fill();
  }
  return details;
}

function more(list: HTMLElement, members: readonly [string, unknown][], from: number, depth: number): void {
  for (const [name, value] of members.slice(from, from + membersAtOnce)) {
    const isBranch = typeof value === "object" && value !== null;
    list.append(isBranch ? branch(name, value, depth + 1) : leaf(name, value));
  }
  const next = from + membersAtOnce;
  if (next >= members.length) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "json-more";
  button.append(`${members.length - next} more`);
  button.addEventListener("click", () => {
    button.remove();
    more(list, members, next, depth);
  });
  list.append(button);
}

function leaf(name: string, value: unknown): HTMLElement {
  const line = made("div", "json-leaf");
  const text = JSON.stringify(value) ?? "";
  const shown = made("span", `json-${value === null ? "null" : typeof value}`);
  shown.append(shortened(text, longestText));
  if (text.length > longestText) shown.title = `${text.length} characters`;
  line.append(key(name), ": ", shown);
  return line;
}

function key(name: string): HTMLElement {
  const element = made("span", "json-key");
  element.append(name);
  return element;
}

function made(tag: "div" | "span", className: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}
