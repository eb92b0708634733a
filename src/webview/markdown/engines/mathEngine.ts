import temml from "temml";
import { messageOf } from "../../../shared/messageOf.ts";
import type { MathEngine } from "./math.ts";

/** The MathML elements that a formula may contain; all others are removed. */
const tags = new Set(
  "math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none span".split(
    " ",
  ),
);
const attributes = new Set(
  "accent accentunder columnalign columnlines columnspacing columnspan depth display displaystyle fence form framespacing height largeop linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowalign rowlines rowspacing rowspan rspace scriptlevel separator stretchy symmetric voffset width".split(
    " ",
  ),
);
/** The styles that a formula may use; values that refer to a resource are removed. */
const styles = new Set(
  "background-color border border-bottom border-left border-right border-top color display font-family font-size font-style font-weight height letter-spacing margin margin-left margin-right math-depth math-style padding padding-bottom padding-left padding-right padding-top text-align vertical-align width".split(
    " ",
  ),
);

/** Sizes are limited, in em and in points, so that a formula can't cover other parts of the page. */
const options = {
  throwOnError: true,
  trust: false,
  strict: false,
  maxExpand: 500,
  maxSize: [25, 250] as [number, number],
};

/** The limits of expansion steps, of nodes per character of the source, and of nesting. */
const mostSteps = 40_000;
const nodesPerCharacter = 4;
const leastNodes = 100;
/** More take a browser longer than a frame. */
const mostNodes = 2500;
const deepest = 60;

const tooLarge = (problem: string) => ({ problem, isTooLarge: true });
const tooManySteps = tooLarge("Its macros go on and on.");
const tooManyNodes = tooLarge("It has too many parts.");
const tooDeep = tooLarge(`It is nested more than ${deepest} levels deep.`);

export const mathEngine: MathEngine = {
  toElement(tex, isDisplay) {
    const meter = createMeter(mostSteps);
    try {
      const macros = { [meter.name]: meter.attach };
      const tree = temml.__renderToMathMLTree(meter.name + tex, {
        ...options,
        displayMode: isDisplay,
        macros,
      });
      const problem = sizeProblem(tree, Math.min(mostNodes, leastNodes + nodesPerCharacter * tex.length));
      if (problem) return problem;
      const clean = cleaned(tree.toNode());
      return clean instanceof Element ? clean : { problem: "This is no formula." };
    } catch (error) {
      // The call stack has overflowed.
      if (error instanceof RangeError) return tooDeep;
      const message = messageOf(error);
      if (meter.isOver || message.includes("Too many expansions")) return tooManySteps;
      return { problem: withoutMeter(message, meter.name) };
    }
  },
};

/** Removes the meter's macro, which precedes the formula, from an error message and its position. */
function withoutMeter(message: string, name: string): string {
  return message
    .trim()
    .replace(name, "")
    .replace(/at position (\d+)/, (_, at) => `at position ${Number(at) - name.length}`);
}

/** The library's macro expander, which it passes to macros that are functions. */
interface Expander {
  popToken(): unknown;
  pushTokens(tokens: readonly unknown[]): void;
  consumeArgs(count: number, delimiters: unknown): readonly (readonly unknown[])[];
  _getExpansion(name: string): unknown;
}

/**
 * Counts the steps of the library, which itself limits only the number of expansions: one expansion may copy its
 * argument a thousand times. A macro with the meter's name, which precedes the formula, attaches the meter.
 */
function createMeter(most: number) {
  const name = "\u203d";
  let steps = 0;
  let places = 0;
  const step = (count: number) => {
    steps += count;
    if (steps > most) throw new Error("too many steps");
  };
  return {
    name,
    get isOver() {
      return steps > most;
    },
    attach(expander: Expander): string {
      if (Object.hasOwn(expander, "popToken")) return "";
      const { popToken, pushTokens, consumeArgs, _getExpansion } = expander;
      expander.popToken = () => {
        step(1);
        return popToken.call(expander);
      };
      expander.pushTokens = (tokens) => {
        step(tokens.length);
        pushTokens.call(expander, tokens);
      };
      expander._getExpansion = (asked) => {
        const expansion = _getExpansion.call(expander, asked);
        places = countPlaces(expansion);
        return expansion;
      };
      expander.consumeArgs = (count, delimiters) => {
        const here = places;
        const args = consumeArgs.call(expander, count, delimiters);
        step(here * args.reduce((sum, arg) => sum + arg.length, 0));
        return args;
      };
      return "";
    },
  };
}

/** The number of arguments that a macro's expansion uses. */
function countPlaces(expansion: unknown): number {
  if (typeof expansion !== "object" || expansion === null || !("tokens" in expansion)) return 0;
  const { tokens } = expansion;
  return Array.isArray(tokens) ? tokens.filter((token: { text?: unknown }) => token.text === "#").length : 0;
}

interface MathNode {
  readonly children?: readonly MathNode[];
}

/** Checks all nodes before any element is created, level by level: the tree may be too deep for recursion. */
function sizeProblem(root: MathNode, most: number): ReturnType<typeof tooLarge> | undefined {
  let count = 0;
  let level: readonly MathNode[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length;
    if (count > most) return tooManyNodes;
    if (depth > deepest) return tooDeep;
    level = level.flatMap(({ children }) => children ?? []);
  }
  return undefined;
}

/** A copy with the allowed elements, attributes and styles only. */
function cleaned(node: Node): Node | undefined {
  if (node instanceof Text) return document.createTextNode(node.data);
  if (node instanceof DocumentFragment || node instanceof HTMLAnchorElement) {
    const row = document.createElementNS("http://www.w3.org/1998/Math/MathML", "mrow");
    for (const child of node.childNodes) row.append(cleaned(child) ?? "");
    return row;
  }
  if (!(node instanceof Element) || !tags.has(node.localName)) return undefined;
  const copy = document.createElementNS(node.namespaceURI, node.localName);
  for (const { name, value } of node.attributes) if (attributes.has(name)) copy.setAttribute(name, value);
  // The library's classes place strokes: see math.css.
  const className = node.getAttribute("class");
  if (className) copy.setAttribute("class", className.replaceAll(/[^\w -]/g, ""));
  copyStyle(node, copy);
  for (const child of node.childNodes) copy.append(cleaned(child) ?? "");
  return copy;
}

function copyStyle(from: Element, to: Element): void {
  if (!("style" in from && "style" in to)) return;
  const source = from.style as CSSStyleDeclaration;
  for (const name of source) {
    const value = source.getPropertyValue(name);
    const isOurs = styles.has(name) || /^(?:border|padding|margin)-/.test(name);
    if (isOurs && !/url|image|var|\\/i.test(value))
      (to.style as CSSStyleDeclaration).setProperty(name, value);
  }
}
