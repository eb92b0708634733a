import { changesBetween } from "../../../../src/rpc/editor/run/history.ts";
import { evm } from "../../../../src/rpc/evm/evm.ts";
import { readRequest } from "../../../../src/rpc/exchange/request/readRequest.ts";
import { readPasted, readRequests } from "../../../../src/rpc/exchange/request/readRequests.ts";
import { wireOf } from "../../../../src/rpc/exchange/request/wireOf.ts";
import { writeRequest } from "../../../../src/rpc/exchange/request/writeRequest.ts";
import { toLines } from "../../../../src/rpc/exchange/toLines.ts";
import { toPasted, toPastedCells } from "../../../../src/rpc/exchange/toPasted.ts";
import { networksInHead, readDocument, withNetworks } from "../../../../src/rpc/file/readDocument.ts";
import { writeDocument } from "../../../../src/rpc/file/writeDocument.ts";
import { complete } from "../../../../src/rpc/language/assist/complete.ts";
import { formatCell } from "../../../../src/rpc/language/assist/formatCell.ts";
import { hover } from "../../../../src/rpc/language/assist/hover.ts";
import {
  foldsOf,
  inlayHints,
  nameAt,
  placesOf,
  signatureAt,
  symbolsOf,
} from "../../../../src/rpc/language/assist/outline.ts";
import { diagnose } from "../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { readEnvFile } from "../../../../src/rpc/language/environment/envFile.ts";
import { hidingOf } from "../../../../src/rpc/language/environment/environments.ts";
import { parseCell } from "../../../../src/rpc/language/parse/parseCell.ts";
import type { Project } from "../../../../src/rpc/language/project.ts";
import { toOutcome } from "../../../../src/rpc/run/expect/outcome.ts";
import { estimateCell, lineHints, sumEstimates } from "../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../src/rpc/run/plan/plan.ts";
import { planRun } from "../../../../src/rpc/run/plan/runPlan.ts";
import { type CellText, projectOf as projectWithout } from "../notebook.ts";

/** All functions that process a text before anything is sent, by name. */
export type Works = Readonly<Record<string, (text: string) => void>>;

function placesIn(text: string): readonly number[] {
  return [0, Math.floor(text.length / 2), text.length];
}

const environment = readEnvFile(`A=1\nSECRET=0x${"ab".repeat(32)}`, "x.rpc.env");

/** A notebook of one cell with an environment. */
function projectOf(cells: readonly (string | CellText)[], on: readonly string[] = []): Project {
  const environments = {
    chosen: "x",
    offered: ["x"],
    files: new Map([["x", environment]]),
    given: new Map(),
  };
  return { ...projectWithout(cells, on), environments };
}

export const cellWorks: Works = {
  parse: (text) => void parseCell(text),
  edit(text) {
    const cell = parseCell(text);
    for (const at of placesIn(text)) parseCell(`${text.slice(0, at)}x${text.slice(at)}`, cell);
  },
  format: (text) => void formatCell(parseCell(text)),
  diagnose: (text) => void diagnose(projectOf([text]), 0),
  "diagnose with the library": (text) => void diagnose(projectOf([text]), 0, evm),
  estimate: (text) => void estimateCell(planCell(projectOf([text]), 0)),
  hints(text) {
    const project = projectOf([text]);
    inlayHints(project, 0);
    lineHints(planCell(project, 0));
  },
  complete(text) {
    const project = projectOf([text]);
    for (const at of placesIn(text)) complete(project, 0, at);
  },
  hover(text) {
    const project = projectOf([text]);
    for (const at of placesIn(text)) hover(project, 0, at);
  },
  outline(text) {
    const project = projectOf([text]);
    const cell = project.cells[0]?.cell;
    if (cell?.form === "lines") {
      symbolsOf(cell);
      foldsOf(cell);
    }
    for (const at of placesIn(text)) {
      signatureAt(project, 0, at);
      const named = nameAt(project, 0, at);
      if (named) placesOf(project, named.definition);
    }
  },
  lower(text) {
    const wire = wireOf(projectOf([text]), 0, evm, () => undefined);
    toLines(wire.items);
    for (const form of ["curl", "cast", "viem", "Python"] as const)
      writeRequest(form, { ...wire, network: "base-mainnet", root: "https://x.example" });
  },
  file: (text) => documentWorks.file?.(`\`\`\`rpc\n${text}\n\`\`\`\n`),
};

/** The requests of a document as a project. */
function projectIn(text: string): Project {
  const { head, cells } = readDocument(text);
  const requests = cells.filter(({ kind }) => kind === "request");
  return projectOf(requests, networksInHead(head));
}

export const documentWorks: Works = {
  file(text) {
    const { head, cells } = readDocument(text);
    writeDocument(head, cells);
    writeDocument(
      withNetworks(head, ["base-mainnet"]),
      cells.map((cell) => ({ ...cell, text: `${cell.text}x` })),
    );
  },
  "all cells"(text) {
    const project = projectIn(text);
    project.cells.forEach((_, at) => void diagnose(project, at, evm));
    sumEstimates(project.cells.map((_, at) => estimateCell(planCell(project, at))));
  },
  "cells to run"(text) {
    const project = projectIn(text);
    planRun(project, [project.cells.length - 1], { get: () => undefined });
  },
};

export const commandWorks: Works = {
  paste(text) {
    const read = readRequest(text);
    if (read) toPasted(read);
    toPastedCells(readPasted(text) ?? []);
  },
  import: (text) => void readRequests(text),
};

/** A node's reply, truncated and decoded for a view, and compared with another one. */
export const answerWorks: Works = {
  show(text) {
    const value = JSON.parse(text);
    const declared = Array.from({ length: text.length / 100 }, (_, at) => `event E${at}(uint256)`);
    const hints = {
      method: "eth_getLogs",
      decoding: { by: "logs", signature: "E0(uint256)" },
      declared,
      functions: [],
    } as const;
    toOutcome({ kind: "result", value }, hints, evm, 1_000);
    changesBetween(value, JSON.parse(text.replaceAll("a", "b")));
  },
};

/** A file of variables, and a cell that uses them. */
export const variableWorks: Works = {
  use(text) {
    const file = readEnvFile(text, "x.rpc.env");
    const environments = { chosen: "x", offered: [], files: new Map([["x", file]]), given: new Map() };
    const project = { ...projectWithout(["x_y {{A}} {{NO}} {{SECRET}}"]), environments };
    diagnose(project, 0, evm);
    complete(project, 0, 6);
    wireOf(project, 0, evm, () => undefined);
    hidingOf(environments).hide?.(text);
  },
};
