/** A file with instructions for agents: of the workspace, or the user's own with a path that begins with `~/`. */
export interface InstructionFile {
  /** As `read_file` names it. */
  readonly path: string;
  readonly text: string;
}

/** The use of such a file. `problem`: it could not be used. */
type GuidanceKind =
  /** Sent whole with each request. */
  | "instructions"
  /** Sent once, with the first call for a file that it is for. */
  | "folder"
  /** Its name and description are sent; the model reads it if they fit. */
  | "listed"
  /** The instructions of the chosen mode. */
  | "mode"
  | "problem";

/** A file that tells the model something, or would. */
export interface GuidanceFile {
  readonly path: string;
  readonly kind: GuidanceKind;
  readonly problem?: string;
}

/** A mode that a file defines. It has the permissions of the mode Agent, or fewer. */
export interface CustomMode {
  /** The path of its file. */
  readonly id: string;
  /** One line. */
  readonly name: string;
  readonly description: string;
  /** The model that the file suggests. It is not chosen by itself. */
  readonly model?: string;
  /** Names of tools and of groups of tools, to which it is limited; null for all tools of the mode Agent. */
  readonly tools: readonly string[] | null;
}

/** A prompt that a file offers as `/name`. */
export interface PromptFile {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly text: string;
}
