/** What tags outside say of an owner: enough to find its record. */
export interface OwnershipTag {
  /** Such as `cluster`. */
  kind: string;
  id: string;
}

/** Who owns something outside. All that a port makes belongs to an owner, and is found again by it. */
export interface Owner extends OwnershipTag {
  tenant: string;
  /** The short name that it has claimed, as no other owner of any kind has; names outside derive from it. */
  name: string;
}

/** An owner as read from outside: only its record knows its name. */
export type TaggedOwner = Omit<Owner, "name">;

/** The label whose value is the owner's id: each kind has one of its own. */
export const ownerLabel = (kind: string): string => `slipway.dev/${kind}`;
export const tenantLabel = "slipway.dev/tenant";

/** The labels of an owner, as tags. */
export const tagsOf = ({ kind, id, tenant }: TaggedOwner): string[] => [
  `${ownerLabel(kind)}=${id}`,
  `${tenantLabel}=${tenant}`,
];

/** The same as one text, for what takes no tags. */
export const tagTextOf = (owner: TaggedOwner): string => tagsOf(owner).join(" ");

const tagText = new RegExp(`^slipway\\.dev/([a-z_]+)=(\\S+) ${tenantLabel}=(\\S*)$`);

/** Whom a text names as the owner; undefined for a text that `tagTextOf` did not make. */
export function parseTagText(text: string): TaggedOwner | undefined {
  const [, kind, id, tenant] = tagText.exec(text) ?? [];
  if (kind === undefined || id === undefined || tenant === undefined) return undefined;
  return { kind, id, tenant };
}

export const isSameOwner = (one: OwnershipTag, other: OwnershipTag): boolean =>
  one.kind === other.kind && one.id === other.id;
