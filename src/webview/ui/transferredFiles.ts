/** The files of a paste. Empty if text is pasted: spreadsheets put a picture of the cells beside their text. */
export function pastedFiles({ clipboardData }: ClipboardEvent): File[] {
  const files = [...(clipboardData?.files ?? [])];
  const hasText = (clipboardData?.getData("text/plain") ?? "") !== "";
  return hasText && files.every(({ type }) => type.startsWith("image/")) ? [] : files;
}

/** The content of a drop: URIs of files of VS Code, or else files from outside. */
export function dropped(transfer: DataTransfer): {
  readonly uris: readonly string[];
  readonly files: readonly File[];
} {
  const list = transfer.getData("application/vnd.code.uri-list") || transfer.getData("text/uri-list");
  const uris = list.split(/\r?\n/).filter((line) => line !== "" && !/^(#|https?:)/i.test(line));
  return { uris: [...new Set(uris)], files: uris.length > 0 ? [] : [...transfer.files] };
}
