import { dirname, relative, resolve } from "node:path";
import { isSecretName, isSecretValue } from "../language/encode/secretValue.ts";
import { type EnvFile, type Variable, variableOf } from "../language/environment/envFile.ts";
import type { Environments } from "../language/environment/environments.ts";
import { namedEnvironment, type Project } from "../language/project.ts";
import {
  foldersUpTo,
  listEnvironments,
  mostEnvironments,
  readEnvironment,
  tooManyEnvironments,
} from "../run/inputs/readEnvironment.ts";

/** A variable of the process with this beginning is one of the notebooks. */
export const variablePrefix = "INFERENCE_ENV_";

/**
 * The variables of `--env NAME=VALUE` arguments and of the process. Arguments have precedence. Returns a problem for a
 * wrong argument, and for a secret, because other processes can read arguments.
 */
export function givenVariables(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): { readonly given: ReadonlyMap<string, Variable> } | { readonly problem: string } {
  const given = new Map<string, Variable>();
  for (const [key, value] of Object.entries(env)) {
    const name = key.slice(variablePrefix.length);
    if (key.startsWith(variablePrefix) && name !== "" && value !== undefined)
      given.set(name, variableOf(name, value));
  }
  for (const arg of args) {
    const [, name, value = ""] = /^([\w.-]+)=([\s\S]*)$/.exec(arg) ?? [];
    // The argument itself is not shown, because it may be a secret.
    if (name === undefined) return { problem: "--env takes a name and a value: --env TOKEN=0x12." };
    if (isSecretName(name) || isSecretValue(name, value))
      return {
        problem: `--env ${name} looks like a secret, and other programs can read arguments. Set the environment variable ${variablePrefix}${name}, or use a file that git ignores.`,
      };
    given.set(name, variableOf(name, value));
  }
  return { given };
}

/** Reads the environments that a notebook names. `chosen` is the one of cells without @env. */
export async function readEnvironments(
  { cells }: Project,
  chosen: string | undefined,
  notebook: string,
  given: ReadonlyMap<string, Variable>,
): Promise<Environments> {
  const here = process.cwd();
  const folders = foldersUpTo(dirname(resolve(notebook)), here);
  const named = cells.flatMap(({ cell }) => namedEnvironment(cell) ?? []);
  const names = new Set(chosen === undefined ? named : [chosen, ...named]);
  const files = new Map<string, EnvFile>();
  for (const [at, name] of [...names].entries())
    files.set(
      name,
      at < mostEnvironments
        ? await readEnvironment(name, folders, (file) => relative(here, file))
        : tooManyEnvironments,
    );
  const offered = names.size > 0 ? await listEnvironments(folders) : [];
  return { offered, files, given, ...(chosen === undefined ? {} : { chosen }) };
}
