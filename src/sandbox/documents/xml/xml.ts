import { Parser } from "saxen";

/** By their names, with prefixes. */
export type Attributes = Readonly<Record<string, string>>;

/** The value of an attribute with any prefix, because files can choose their prefixes. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  return attributes[name] ?? attributes[`w:${name}`] ?? otherPrefix(attributes, name);
}

function otherPrefix(attributes: Attributes, name: string): string | undefined {
  return Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1];
}

/** Events of the XML reader. Names have no prefix, because files can choose their prefixes. */
export interface XmlListener {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/** Throws if the XML is invalid. */
export function readXml(xml: string, listener: XmlListener): void {
  const parser = new Parser();
  parser.on("openTag", (name, attributes, decode) =>
    listener.open?.(localName(name), decoded(attributes(), decode)),
  );
  parser.on("closeTag", (name) => listener.close?.(localName(name)));
  parser.on("text", (text, decode) => listener.text?.(decode(text)));
  parser.on("cdata", (text) => listener.text?.(text));
  parser.on("error", (error) => {
    throw error;
  });
  parser.parse(xml);
}

/** The reader leaves entities in the values of attributes. */
function decoded(attributes: Attributes, decode: (text: string) => string): Attributes {
  const values = Object.entries(attributes);
  if (!values.some(([, value]) => value.includes("&"))) return attributes;
  return Object.fromEntries(values.map(([name, value]) => [name, decode(value)]));
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
