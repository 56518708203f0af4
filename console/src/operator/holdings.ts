/** What somebody can hold, and where it is asked whose it is. */

export const heldKinds = ["vlan", "ip", "prefix", "dns", "mac", "host", "infra_id"] as const;
type HeldKind = (typeof heldKinds)[number];

export const isHeldKind = (text: string): text is HeldKind =>
  heldKinds.some((kind) => kind === text);

/** The page that answers whose something is. */
export const whosePage = (kind: HeldKind, value: string): string =>
  `/sites?${new URLSearchParams({ kind, value })}`;
