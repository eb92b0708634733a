import { localNetwork, networks } from "../../shared/rpc/networks.ts";
import { environmentInHead, networksInHead, readDocument } from "../file/readDocument.ts";
import { declarationsOf, isAbiPath } from "../language/check/declarations.ts";
import type { AbiFile } from "../language/encode/abiJson.ts";
import type { Environments } from "../language/environment/environments.ts";
import { parseCell } from "../language/parse/parseCell.ts";
import type { Project } from "../language/project.ts";

/** A notebook as text, and what its cells may use. */
export interface NotebookSource {
  /** As the user named it; shown in reports. */
  readonly file: string;
  readonly text: string;
  /** Replaces the networks of all cells. */
  readonly network: string | undefined;
  readonly readAbi: (path: string) => Promise<AbiFile>;
  /** Reads the environments of the cells. `head` is the one of the front matter. */
  readonly readEnvironments?: (project: Project, head: string | undefined) => Promise<Environments>;
}

/** A parsed notebook. */
export interface HeadlessNotebook {
  readonly file: string;
  readonly project: Project;
  /** Of each cell of the project. */
  readonly places: readonly CellPlace[];
}

export interface CellPlace {
  /** One-based line of the fence in the file. */
  readonly line: number;
  /** The last heading above it. */
  readonly heading?: string;
  /** Its name, else its first line that is no directive. */
  readonly title: string;
}

/** Parses a notebook and reads its ABI files. */
export async function openNotebook(source: NotebookSource): Promise<HeadlessNotebook> {
  const { head, cells } = readDocument(source.text);
  let line = linesIn(head) + 1;
  const requests: { readonly project: Project["cells"][number]; readonly place: CellPlace }[] = [];
  let heading: string | undefined;
  for (const { kind, text, facts, raw } of cells) {
    if (kind === "request") {
      const project = { key: String(requests.length), cell: parseCell(text), facts };
      const place = {
        line,
        title: facts.name ?? titleOf(text),
        ...(heading === undefined ? {} : { heading }),
      };
      requests.push({ project, place });
    } else heading = headingIn(text) ?? heading;
    line += linesIn(raw);
  }
  const paths = requests.flatMap(({ project }) => declarationsOf(project.cell)).filter(isAbiPath);
  const abiFiles = new Map<string, AbiFile>();
  for (const path of new Set(paths)) abiFiles.set(path, await source.readAbi(path));
  const { file, network } = source;
  const project: Project = {
    networks: networksInHead(head),
    ...(network === undefined ? {} : { onlyNetwork: network }),
    offered: knownNetworks,
    abiFiles,
    cells: requests.map((one) => one.project),
  };
  const environments = await source.readEnvironments?.(project, environmentInHead(head));
  return {
    file,
    project: environments ? { ...project, environments } : project,
    places: requests.map(({ place }) => place),
  };
}

/** The networks that are known without asking the service. */
const knownNetworks: readonly string[] = [...networks.map(({ slug }) => slug), localNetwork];

function linesIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

const mostTitle = 80;

/** The text of the last heading. */
function headingIn(text: string): string | undefined {
  const found = text.split("\n").findLast((line) => /^#{1,6}\s+\S/.test(line));
  return found?.replace(/^#+/, "").trim().slice(0, mostTitle);
}

function titleOf(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const first = lines.find((line) => line !== "" && !/^[#@]/.test(line)) ?? lines[0] ?? "";
  return first.slice(0, mostTitle);
}
