/** The kinds of things with a holder, and the page that looks the holder up. */

export const heldKinds = ["vlan", "ip", "prefix", "dns", "mac", "host", "infra_id"] as const;
type HeldKind = (typeof heldKinds)[number];

export const isHeldKind = (text: string): text is HeldKind =>
  heldKinds.some((kind) => kind === text);

/** The page that shows the holder of something. */
export const whosePage = (kind: HeldKind, value: string): string =>
  `/sites?${new URLSearchParams({ kind, value })}`;
