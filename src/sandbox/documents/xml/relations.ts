import { fileName } from "../../../shared/text/fileName.ts";
import type { ZipParts } from "../zip.ts";
import { attribute, readXml } from "./xml.ts";

export interface Relation {
  /** The last segment of the type's URL, which is the same in strict and in transitional files. */
  readonly type: string;
  /** The full name of a part, or an address outside of the file. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** The relations of a part to others, by id. An empty name is the file itself. Throws if their XML is invalid. */
export function relationsOf(parts: Pick<ZipParts, "text">, name: string): ReadonlyMap<string, Relation> {
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  const found = new Map<string, Relation>();
  readXml(parts.text(`${folder}_rels/${fileName(name)}.rels`) ?? "<none/>", {
    open(element, attributes) {
      if (element !== "Relationship") return;
      const [id, type, target] = ["Id", "Type", "Target"].map((key) => attribute(attributes, key) ?? "");
      const isExternal = /^external$/i.test(attribute(attributes, "TargetMode") ?? "");
      const part = isExternal ? target : partName(folder, target ?? "");
      if (id !== undefined && part !== undefined)
        found.set(id, { type: fileName(type ?? ""), target: part, isExternal });
    },
  });
  return found;
}

/** A target is relative to the folder of the part, or to the file if it begins with a slash. */
function partName(folder: string, target: string): string | undefined {
  const base = `zip:///${folder}`;
  if (!URL.canParse(target, base)) return undefined;
  const { pathname } = new URL(target, base);
  try {
    return decodeURIComponent(pathname.replace(/^\/+/, ""));
  } catch {
    return pathname.replace(/^\/+/, "");
  }
}

/** The targets of the relations of a type, in the order of the file. */
export function targetsOf(relations: ReadonlyMap<string, Relation>, ...types: readonly string[]): string[] {
  return [...relations.values()].flatMap(({ type, target, isExternal }) =>
    types.includes(type) && !isExternal ? [target] : [],
  );
}

const usualNames = ["word/document.xml", "ppt/presentation.xml", "xl/workbook.xml"];

/** The name of the part that a package of an office suite begins with. Undefined if it has none. */
export function mainPart(parts: Pick<ZipParts, "text" | "names">): string | undefined {
  const [related] = targetsOf(relationsOf(parts, ""), "officeDocument");
  if (related !== undefined && parts.text(related) !== undefined) return related;
  return usualNames.find((name) => parts.text(name) !== undefined);
}
