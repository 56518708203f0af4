import type { Deps } from "../../kernel/deps.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { OperatedKind } from "../../kernel/object/traits.ts";
import type { OwnedDomain } from "../../ports/dns/dns.ts";
import type { OwnedNetwork } from "../../ports/fabric/fabric.ts";
import type { HubClient } from "../../ports/hub/hub.ts";
import type { Owner } from "../../ports/owner.ts";

/** What a kind says of the things that its objects own outside, at sites and on hubs. */
export interface Owning<K extends OperatedKind> {
  /** Its name in ownership tags. */
  owner(object: ObjectOf[K]): Owner;
  /** Its network at a fabric. */
  network?(object: ObjectOf[K]): OwnedNetwork;
  domains?: OwnedDomains<ObjectOf[K]>;
  onHub?: OwnedOnHub<ObjectOf[K]>;
}

/** The names that the objects of a kind have in the DNS of a site. */
export interface OwnedDomains<T> {
  /** The domain that a record's name is below; undefined for a name that no object of this kind has. */
  ofName(name: string): string | undefined;
  owned(object: T, domain: string): OwnedDomain;
}

/** What objects of a kind have on a hub, beside agents. */
export interface OwnedOnHub<T> {
  /** Kinds of hub objects with which everything of their owner stays: somebody's work may be in them. */
  keeps: readonly string[];
  /** Removes what is left of one, or begins to. */
  remove(client: HubClient, object: T): Promise<void>;
}

/** By kind; a process that looks after what is outside has all of them. */
export type Owners = { readonly [K in OperatedKind]?: Owning<K> };

/** Undefined for a kind that owns nothing outside, and for a text that names no kind: tags outside may say anything. */
export const owningOf = (
  { owners }: Pick<Deps, "owners">,
  kind: string,
): Owning<OperatedKind> | undefined =>
  Object.hasOwn(owners, kind) ? owners[kind as OperatedKind] : undefined;

declare module "../../kernel/deps.ts" {
  interface Deps {
    /** What kinds say of the things that their objects own outside. */
    owners: Owners;
  }
}
