import { createIcons } from "../../webview/ui/createIcons.tsx";

const paths = {
  play: "M4.5 2.8v10.4l8.6-5.2z",
  pause: "M4.5 3h2.4v10H4.5zM9.1 3h2.4v10H9.1z",
  stop: "M4 4h8v8H4z",
  next: "M3.5 3.2v9.6l6.8-4.8zM11 3.2h1.6v9.6H11z",
  previous: "M12.5 3.2v9.6L5.7 8zM3.4 3.2H5v9.6H3.4z",
  back: "M7.6 4 3.8 8l3.8 4M12.4 4 8.6 8l3.8 4",
  forward: "M3.6 4l3.8 4-3.8 4M8.4 4l3.8 4-3.8 4",
  save: "M8 1.8v7.4M4.9 6.3 8 9.4l3.1-3.1M2.8 10.6v2.8h10.4v-2.8",
  settings: "M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.3v3.4M6 9.3v3.4",
  ear: "M3 6h2.4L8.5 3.2v9.6L5.4 10H3zM10.8 5.6a3.4 3.4 0 0 1 0 4.8M12.4 3.9a5.8 5.8 0 0 1 0 8.2",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9",
} as const;

type IconName = keyof typeof paths;

const filled: ReadonlySet<IconName> = new Set(["play", "pause", "stop", "next", "previous"]);

export const { IconButton: PlayerIconButton } = createIcons(paths, filled);
