import { knownMembers } from "../../../api/money/charge.ts";
import { isMembers, optionalMember } from "../../../shared/members.ts";
import {
  type BudgetDimension,
  type BudgetScope,
  budgetDimensions,
  namedClient,
  type ScopedBudget,
  scopeText,
} from "../../../shared/money/scopedBudget.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";

/** What budgets can name of a call. A call has no folder, no branch and so on if the member is absent. */
export interface SpendTags {
  readonly folder?: string;
  /** Tells folders of one name apart. Absent in lines of older versions. */
  readonly folderId?: string;
  readonly branch?: string;
  /** The model as it was asked for, without its switches. */
  readonly model?: string;
  /** The id that this name stands for, if it is another. */
  readonly modelId?: string;
  /** A kind of `SpendSource`, or `agent` for a task of the chat. A newer version may have more. */
  readonly kind?: string;
  /** Name of the program, as it gives it. */
  readonly client?: string;
  /** The end of the key that pays. */
  readonly key?: string;
}

const longestName = 100;

/** A name in one line without hidden characters, of bounded length. */
export function boundedName(text: string): string {
  const line = visibleLine(text.slice(0, longestName * 2));
  return line.length > longestName ? `${line.slice(0, longestName - 1)}…` : line;
}

/** Budgets as the ledger has their names. */
const recordedScopes = new WeakMap<BudgetScope, BudgetScope>();

/** A user may write the whole name of a folder, a branch or a program, of which the ledger has the beginning. */
function asRecorded(per: BudgetScope): BudgetScope {
  const known = recordedScopes.get(per);
  if (known) return known;
  const { folder, branch, client } = per;
  const [kind = "", ...own] = client?.split(":") ?? [];
  const named = own.length === 0 ? client : namedClient(kind, boundedName(own.join(":")));
  const recorded = {
    ...per,
    ...optionalMember("folder", folder === undefined ? undefined : boundedName(folder)),
    ...optionalMember("branch", branch === undefined ? undefined : boundedName(branch)),
    ...optionalMember("client", named),
  };
  recordedScopes.set(per, recorded);
  return recorded;
}

/** True if a budget of this scope counts the call. */
export function isInScope(per: BudgetScope, tags: SpendTags): boolean {
  const recorded = asRecorded(per);
  const isFolder = isSameFolder(recorded, tags);
  return budgetDimensions.every((name) => {
    if (name === "folder" && isFolder !== undefined) return isFolder;
    const wanted = recorded[name];
    return wanted === undefined || valuesOf(name, tags).includes(wanted);
  });
}

/** Whatever its name is in the window that pays. Undefined unless both say which folder it is: then its name decides. */
function isSameFolder(per: BudgetScope, { folderId }: SpendTags): boolean | undefined {
  return per.folderId === undefined || folderId === undefined ? undefined : per.folderId === folderId;
}

/** The budget that counts the call, of one that counts the calls of each folder apart. */
export function budgetFor(budget: ScopedBudget, { folder = "", folderId }: SpendTags): ScopedBudget {
  if (budget.each === undefined) return budget;
  const { each: _, ...one } = budget;
  const name = one.name && `${one.name} for ${scopeText({ folder })}`;
  const per = { ...one.per, folder, ...optionalMember("folderId", folderId) };
  return { ...one, per, ...optionalMember("name", name) };
}

/** The values by which a budget may name a call; an empty text if it has none. */
function valuesOf(name: BudgetDimension, tags: SpendTags): readonly string[] {
  switch (name) {
    case "model":
      return [tags.model ?? "", ...(tags.modelId === undefined ? [] : [tags.modelId])];
    case "client":
      return [
        tags.kind ?? "",
        ...(tags.kind === undefined || tags.client === undefined
          ? []
          : [namedClient(tags.kind, tags.client)]),
      ];
    default:
      return [tags[name] ?? ""];
  }
}

/** The texts of a line of the ledger; undefined if it has none, as those of older versions. */
export function readTags(value: unknown): SpendTags | undefined {
  if (!isMembers(value)) return undefined;
  const text = (name: keyof SpendTags) => (typeof value[name] === "string" ? value[name] : undefined);
  return knownMembers({
    folder: text("folder"),
    folderId: text("folderId"),
    branch: text("branch"),
    model: text("model"),
    modelId: text("modelId"),
    kind: text("kind"),
    client: text("client"),
    key: text("key"),
  });
}
