/** What the sandbox can write, of the spec's formats (E7). */
export const writtenFormats = ["mp3", "opus", "wav", "pcm"] as const;
export type WrittenFormat = (typeof writtenFormats)[number];
