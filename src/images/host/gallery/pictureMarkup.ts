/** A Markdown image with a path relative to the document. */
export function pictureMarkdown(path: string, text: string): string {
  const label = oneLine(text).replace(/[\\`*_[\]<>]/g, "\\$&");
  // Else they begin a query or a fragment of the address, or stand for another character.
  const address = path.replace(/[%?#]/g, encodeURIComponent);
  return `![${label}](${/[\s()<>]/.test(address) ? `<${address}>` : address})`;
}

/** The same as an HTML element; width and height reserve the space while it loads. */
export function toHtml(
  path: string,
  text: string,
  size?: { readonly width: number; readonly height: number },
): string {
  const place = size ? ` width="${size.width}" height="${size.height}"` : "";
  return `<img src="${attribute(encodeURI(path).replace(/[?#]/g, encodeURIComponent))}" alt="${attribute(oneLine(text))}"${place}>`;
}

/** The relative path from a document's folder to a file, both with slashes. */
export function relativePath(folder: string, file: string): string {
  const from = folder.split("/").filter(Boolean);
  const to = file.split("/").filter(Boolean);
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
