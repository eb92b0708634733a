import { type Attributes, attribute, readXml } from "../../xml/xml.ts";
import type { Block } from "../blocks.ts";
import { type Box, inReadingOrder } from "./readingOrder.ts";

/** Elements of DrawingML for what has a position of its own. */
export const shapeElements: ReadonlySet<string> = new Set(["sp", "grpSp", "graphicFrame", "pic", "cxnSp"]);

/** A shape, a group of shapes or a frame that is being read. */
export class Shape {
  readonly #numbers = new Map<string, number>();
  /** In the coordinates of the group that it is in. Undefined if the file does not say it here. */
  box: Box | undefined;
  isHidden = false;
  /** The relation to where a click on it leads. */
  link = "";
  /** What it stands for in the layout. Undefined for other shapes. */
  placeholder: Placeholder | undefined;
  readonly #element: string;

  constructor(element: string) {
    this.#element = element;
  }

  /** Takes the properties that say where and whether it is shown. */
  open(name: string, attributes: Attributes): void {
    if (name === "cNvPr") this.isHidden ||= /^(?:1|true|on)$/.test(attribute(attributes, "hidden") ?? "");
    if (name === "hlinkClick") this.link = attribute(attributes, "id") ?? "";
    if (name === "ph") this.placeholder = placeholderOf(attributes);
    // An element of extensions has the same name, but no size.
    if (name !== "off" && name !== "ext") return;
    for (const key of ["x", "y", "cx", "cy"]) {
      const value = Number.parseInt(attributes[key] ?? "", 10);
      if (!Number.isNaN(value)) this.#numbers.set(key, value);
    }
    const [left, top, width = 0, height = 0] = ["x", "y", "cx", "cy"].map((key) => this.#numbers.get(key));
    // A group without a size does not move its members.
    const isSized = this.#element !== "grpSp" || width > 0 || height > 0;
    if (isSized && left !== undefined && top !== undefined) this.box = { left, top, width, height };
  }
}

/** The type and the index by which a shape refers to one of the layout. */
export interface Placeholder {
  readonly type: string;
  readonly index: string;
}

function placeholderOf({ type = "obj", idx = "0" }: Attributes): Placeholder {
  return { type, index: idx };
}

/** Blocks of a slide or a group in the order in which a person reads its shapes; its title is first. */
export function orderedBlocks(blocks: readonly Block[]): readonly Block[] {
  const units: {
    readonly shape: object | undefined;
    readonly box: Box | undefined;
    readonly blocks: Block[];
  }[] = [];
  for (const block of blocks.filter(({ isTitle }) => !isTitle)) {
    const last = units.at(-1);
    if (last && last.shape === block.shape) last.blocks.push(block);
    else units.push({ shape: block.shape, box: block.shape?.box, blocks: [block] });
  }
  const titles = blocks.filter(({ isTitle }) => isTitle);
  return [...titles, ...inReadingOrder(units).flatMap((unit) => unit.blocks)];
}

/** Where the members of a group are, which has no position of its own. Undefined if none of them has one. */
export function boxAround(blocks: readonly Block[]): Box | undefined {
  const boxes = blocks.flatMap(({ shape }) => (shape?.box ? [shape.box] : []));
  if (boxes.length === 0) return undefined;
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

/** Where the placeholders of a layout are, and those of its master: most slides don't repeat it. */
export class PlaceholderBoxes {
  readonly #layout: readonly Shape[];
  readonly #master: readonly Shape[];

  /** Throws if the XML is invalid. */
  constructor(layout: string, master: string) {
    [this.#layout, this.#master] = [placeholdersIn(layout), placeholdersIn(master)];
  }

  boxOf({ type, index }: Placeholder): Box | undefined {
    const own =
      this.#layout.find(({ placeholder }) => index !== "0" && placeholder?.index === index) ??
      this.#layout.find(({ placeholder }) => kindOf(placeholder?.type) === kindOf(type));
    const kind = kindOf(own?.placeholder?.type ?? type);
    return own?.box ?? this.#master.find(({ placeholder }) => kindOf(placeholder?.type) === kind)?.box;
  }
}

/** A master has a title and a body, which stand for all kinds of titles and of content. */
function kindOf(type = ""): string {
  if (/^(?:ctrT|t)itle$/.test(type)) return "title";
  return /^(?:sldNum|dt|ftr|hdr)$/.test(type) ? type : "body";
}

function placeholdersIn(xml: string): readonly Shape[] {
  const shapes: Shape[] = [];
  let isShape = false;
  readXml(xml, {
    open(name, attributes) {
      if (shapeElements.has(name)) {
        isShape = name !== "grpSp";
        shapes.push(new Shape(name));
      } else if (isShape) shapes.at(-1)?.open(name, attributes);
    },
    close(name) {
      if (shapeElements.has(name)) isShape = false;
    },
  });
  return shapes.filter(({ placeholder }) => placeholder !== undefined);
}
