import type { AccountNode } from "../../tree/treeNode.ts";
import type { KeyRow } from "../keyRow.ts";
import { concernsOf, type KeyConcern, unusedDays } from "./keyHealth.ts";

interface ReviewedKey {
  readonly row: KeyRow;
  readonly node: AccountNode;
  /** Undefined if the usage was not read. */
  readonly hasSpent: boolean | undefined;
}

interface Section {
  readonly concern: KeyConcern;
  readonly label: string;
  /** In the summary of all sections. */
  readonly short: string;
  readonly note: string;
  readonly icon: string;
  readonly tint: AccountNode["tint"];
}

const sections: readonly Section[] = [
  {
    concern: "expiring",
    label: "Expire within 7 days",
    short: "expiring",
    note: "Extend them, or rotate them before what uses them stops working.",
    icon: "watch",
    tint: "warning",
  },
  {
    concern: "unused",
    label: `Unused for ${unusedDays} days`,
    short: "unused",
    note: "Also those that were never used; a new key has 7 days for that. What nobody uses can be revoked.",
    icon: "circle-outline",
    tint: "quiet",
  },
  {
    concern: "unlimited",
    label: "Without a limit",
    short: "without limit",
    note: "Such a key can spend the whole balance. Set a limit.",
    icon: "unlock",
    tint: "quiet",
  },
  {
    concern: "expired",
    label: "Expired",
    short: "expired",
    note: "They can be extended or revoked.",
    icon: "circle-slash",
    tint: "quiet",
  },
];

/** One row that sums up which keys to look at, with a group for each reason; none if there is no reason. */
export function reviewNodes(keys: readonly ReviewedKey[], nowMs: number): readonly AccountNode[] {
  const concerned = keys.flatMap(({ row, node, hasSpent }) => {
    const concerns = row.details ? concernsOf(row.details, hasSpent, nowMs) : [];
    return concerns.length === 0 ? [] : [{ row, node, concerns }];
  });
  if (concerned.length === 0) return [];
  const groups = sections.flatMap((section) => {
    const own = concerned.filter(({ concerns }) => concerns.includes(section.concern));
    return own.length === 0 ? [] : [{ section, own }];
  });
  return [
    {
      id: "review",
      label: "To review",
      description: groups.map(({ section, own }) => `${own.length} ${section.short}`).join(", "),
      icon: "checklist",
      ...(groups[0]?.section.tint === "warning" ? { tint: "warning" as const } : {}),
      children: async () => groups.map(({ section, own }) => groupNode(section, own)),
    },
  ];
}

function groupNode(
  { concern, label, note, icon, tint }: Section,
  own: readonly { readonly row: KeyRow; readonly node: AccountNode }[],
): AccountNode {
  return {
    id: `review:${concern}`,
    label,
    description: String(own.length),
    tooltip: { title: label, notes: [note] },
    icon,
    ...(tint ? { tint } : {}),
    kind: "keyGroup",
    keyIds: own.map(({ row }) => row.id),
    children: async () =>
      own.map(({ node: { children: _, isOpen: __, ...node } }) => ({
        ...node,
        id: `review:${concern}:${node.id}`,
      })),
  };
}
