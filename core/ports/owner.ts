/** An owner as an ownership tag names it: enough to find its record. */
export interface OwnershipTag {
  /** The owner's kind, such as `cluster`. */
  kind: string;
  id: string;
}

/**
 * The owner of an object outside. Every object that a port makes has an owner, by which later calls find the
 * object.
 */
export interface Owner extends OwnershipTag {
  tenant: string;
  /**
   * The short name that the owner has claimed, unique among owners of all kinds; names outside derive
   * from it.
   */
  name: string;
}

/** An owner without its name, which only its record has. */
export type TaggedOwner = Omit<Owner, "name">;

/** The label whose value is the owner's id: each kind has a label of its own. */
export const ownerLabel = (kind: string): string => `slipway.dev/${kind}`;
export const tenantLabel = "slipway.dev/tenant";

/** The labels of an owner, as tags. */
export const tagsOf = ({ kind, id, tenant }: TaggedOwner): string[] => [
  `${ownerLabel(kind)}=${id}`,
  `${tenantLabel}=${tenant}`,
];

/** The tags of an owner as one text, for objects that take no tags. */
export const tagTextOf = (owner: TaggedOwner): string => tagsOf(owner).join(" ");

const tagText = new RegExp(`^slipway\\.dev/([a-z_]+)=(\\S+) ${tenantLabel}=(\\S*)$`);

/** The owner that a text names; undefined for a text that `tagTextOf` did not make. */
export function parseTagText(text: string): TaggedOwner | undefined {
  const [, kind, id, tenant] = tagText.exec(text) ?? [];
  if (kind === undefined || id === undefined || tenant === undefined) return undefined;
  return { kind, id, tenant };
}

export const isSameOwner = (one: OwnershipTag, other: OwnershipTag): boolean =>
  one.kind === other.kind && one.id === other.id;
