import temml from "temml";
import type { MathEngine } from "./typesetter.ts";

/** The elements of MathML that a formula may consist of; whatever else comes out of one is left out. */
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
/** Styles that formulas are laid out with; a value that names a resource is none. */
const styles = new Set(
  "background-color border border-bottom border-left border-right border-top color display font-family font-size font-style font-weight height letter-spacing margin margin-left margin-right math-depth math-style padding padding-bottom padding-left padding-right padding-top text-align vertical-align width".split(
    " ",
  ),
);

/** Sizes in a formula are bounded, in em and in points: it can't reach out of its place. */
const options = {
  throwOnError: true,
  trust: false,
  strict: false,
  maxExpand: 500,
  maxSize: [25, 250] as [number, number],
};

/** Steps of TeX, tokens and what macros make of them; nodes of the formula for each character; nodes in each other. */
const mostSteps = 40_000;
const nodesPerCharacter = 4;
const leastNodes = 100;
const deepest = 60;

const tooLarge = (problem: string) => ({ problem, isTooLarge: true });
const tooManySteps = tooLarge("Its macros go on and on.");
const tooManyNodes = tooLarge("It has too many parts for its length.");
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
      const problem = sizeProblem(tree, leastNodes + nodesPerCharacter * tex.length);
      if (problem) return problem;
      const clean = cleaned(tree.toNode());
      return clean instanceof Element ? clean : { problem: "This is no formula." };
    } catch (error) {
      // The stack of calls ends where nothing else does.
      if (error instanceof RangeError) return tooDeep;
      const message = error instanceof Error ? error.message : String(error);
      if (meter.isOver || message.includes("Too many expansions")) return tooManySteps;
      return { problem: withoutMeter(message, meter.name) };
    }
  },
};

/** The library counts, and quotes, what stands before the formula. */
function withoutMeter(message: string, name: string): string {
  return message
    .trim()
    .replace(name, "")
    .replace(/at position (\d+)/, (_, at) => `at position ${Number(at) - name.length}`);
}

/** The part of the library that expands macros, which a macro that is a function is given. */
interface Expander {
  popToken(): unknown;
  pushTokens(tokens: readonly unknown[]): void;
  consumeArgs(count: number, delimiters: unknown): readonly (readonly unknown[])[];
  _getExpansion(name: string): unknown;
}

/**
 * Counts what the library does, which bounds nothing but the number of expansions: one of them may well copy its
 * argument a thousand times. It is called in by a macro of its own name, which stands before the formula.
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

/** How many arguments are put into what a macro stands for. */
function countPlaces(expansion: unknown): number {
  if (typeof expansion !== "object" || expansion === null || !("tokens" in expansion)) return 0;
  const { tokens } = expansion;
  return Array.isArray(tokens) ? tokens.filter((token: { text?: unknown }) => token.text === "#").length : 0;
}

interface MathNode {
  readonly children?: readonly MathNode[];
}

/** Looks at all nodes before any is made: by levels, as the tree may be deeper than calls can go. */
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

/** A copy that holds nothing but what a formula is made of. */
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
  // The classes are the library's own words for where strokes go: see math.css.
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
