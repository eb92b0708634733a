import { createIcons } from "../../webview/ui/createIcons.tsx";

const paths = {
  send: "M2.5 8h8.5M7.5 4 11.5 8l-4 4",
  queue: "M2.5 4h11M2.5 8h5M2.5 12h5M10 12V7.5M8.2 9.3 10 7.5l1.8 1.8",
  stop: "M4.5 4.5h7v7h-7z",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  speak: "M3 6h2.4L8.5 3.2v9.6L5.4 10H3zM10.8 5.6a3.4 3.4 0 0 1 0 4.8M12.4 3.9a5.8 5.8 0 0 1 0 8.2",
  insert: "M2.5 3.5h11M2.5 12.5h11M8 5.5v5M5.8 8.3 8 10.5l2.2-2.2",
  request: "M3 5.5h9.5M9.8 2.8l2.7 2.7-2.7 2.7M13 10.5H3.5M6.2 7.8l-2.7 2.7 2.7 2.7",
  retry: "M12.5 5A5.2 5.2 0 1 0 13 9.5M12.8 2v3.2H9.6",
  undo: "M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.8 3.5l-3 3 3 3",
  left: "M9.5 4l-4 4 4 4",
  right: "M6.5 4l4 4-4 4",
  edit: "M3 13l.6-2.9 7-7 2.3 2.3-7 7zM9.2 4.5l2.3 2.3",
  settings: "M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.3v3.4M6 9.3v3.4",
  tools:
    "M13 4.6 10.9 6.7 9.3 5.1 11.4 3a3.4 3.4 0 0 0-4.5 4.2L2.7 11.4a1.3 1.3 0 0 0 1.9 1.9l4.2-4.2A3.4 3.4 0 0 0 13 4.6z",
  star: "M8 2.6l1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.3l-3.4 1.8.7-3.8-2.8-2.7 3.8-.5z",
  starred: "M8 2.6l1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.3l-3.4 1.8.7-3.8-2.8-2.7 3.8-.5z",
  compare: "M2.5 3.5h4.6v9H2.5zM8.9 3.5h4.6v9H8.9z",
  history: "M2.5 8a5.5 5.5 0 1 0 1.8-4.1M2.8 2v2.6h2.6M8 5v3.2l2.2 1.3",
  pin: "M5.5 2.5h5M6.3 2.5v4L4.5 9h7L9.7 6.5v-4M8 9v4.5",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9",
  export: "M8 10V2.5M5.2 5.2 8 2.5l2.8 2.7M3 9.5v4h10v-4",
  import: "M8 2.5V10M5.2 7.3 8 10l2.8-2.7M3 9.5v4h10v-4",
  up: "M4 9.5l4-4 4 4",
  down: "M4 6.5l4 4 4-4",
  check: "M3.5 8.5l3 3 6-7",
  checklist: "M2.5 4.2l1 1 1.8-2.2M7.5 4.2h6M2.5 8.7l1 1 1.8-2.2M7.5 8.7h6M3.5 13h.2M7.5 13h6",
  info: "M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2zM8 7.3v3.6M8 5v.2",
  close: "M4 4l8 8M12 4l-8 8",
  beaker: "M6 2.5h4M6.8 2.5v4L3.2 12.4c-.4.7.1 1.3.9 1.3h7.8c.8 0 1.3-.6.9-1.3L9.2 6.5v-4M4.8 10h6.4",
  plug: "M5.5 2.5v3M10.5 2.5v3M3.8 5.5h8.4V8a4.2 4.2 0 0 1-8.4 0zM8 12.2v2",
  attach: "M10.8 5v5.2a2.8 2.8 0 0 1-5.6 0V4.4a1.9 1.9 0 0 1 3.8 0v5.4a.9.9 0 0 1-1.8 0V5",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  folder: "M2.5 4.5h4l1.2 1.5h5.8v6.5h-11z",
  image: "M2.5 3.5h11v9h-11zM2.5 10.5l3-3 3 3 2-2 3 3M10.5 6v.2",
  document: "M4 2.5h5l3 3v8H4zM6 8h4M6 10.5h4",
  selection: "M5.5 3.5h-2v9h2M10.5 3.5h2v9h-2M6 6.5h4M6 9.5h4",
  terminal: "M2.5 3.5h11v9h-11zM4.5 6l2 2-2 2M8 10.5h3",
  warning: "M8 2.5 14.5 13.5h-13zM8 6.5v3.5M8 11.7v.3",
} as const;

export type IconName = keyof typeof paths;

const filled: ReadonlySet<IconName> = new Set(["stop", "starred"]);

export const { Icon, IconButton } = createIcons(paths, filled);
