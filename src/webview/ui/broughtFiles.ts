/** Files that a paste brings; none where it brings text that is meant, as spreadsheets copy a picture beside it. */
export function pastedFiles({ clipboardData }: ClipboardEvent): File[] {
  const files = [...(clipboardData?.files ?? [])];
  const hasText = (clipboardData?.getData("text/plain") ?? "") !== "";
  return hasText && files.every(({ type }) => type.startsWith("image/")) ? [] : files;
}

/** What a drop brings: addresses of the editor's own files, or files from elsewhere. */
export function dropped(transfer: DataTransfer): {
  readonly uris: readonly string[];
  readonly files: readonly File[];
} {
  const list = transfer.getData("application/vnd.code.uri-list") || transfer.getData("text/uri-list");
  const uris = list.split(/\r?\n/).filter((line) => line !== "" && !/^(#|https?:)/i.test(line));
  return { uris: [...new Set(uris)], files: uris.length > 0 ? [] : [...transfer.files] };
}
