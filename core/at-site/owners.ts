import type { Deps } from "../kernel/deps.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { OperatedKind } from "../kernel/object/traits.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import type { OwnedDomain, RecordSet } from "../ports/dns/dns.ts";
import type { OwnedNetwork } from "../ports/fabric/fabric.ts";
import type { HubClient } from "../ports/hub/hub.ts";
import type { Owner } from "../ports/owner.ts";
import type { SitedKind, SiteRecord } from "./at-site.ts";
import type { SiteSystems } from "./sites.ts";

/** The parts of a kind's objects in outside systems, at sites and on hubs. */
export interface Owning<K extends OperatedKind> {
  /** Answers the owner for ownership tags. */
  owner(object: ObjectOf[K]): Owner;
  /** Answers the object's network at a fabric; absent for a kind without networks of its own. */
  network?(object: ObjectOf[K]): OwnedNetwork;
  /** Removes an object's remains from a fabric; absent for a kind whose `network` already describes them. */
  removeFrom?(at: Pick<SiteSystems, "fabric" | "networks">, object: ObjectOf[K]): Promise<void>;
  domains?: OwnedDomains<ObjectOf[K]>;
  onHub?: OwnedOnHub<ObjectOf[K]>;
  /** The parts at a site to check for drift; absent for a kind without such checks. */
  parts?: OwnedParts<ObjectOf[K]>;
}

/** The DNS names of a kind's objects at a site. */
export interface OwnedDomains<T> {
  /** Answers the domain of a name; undefined if no object of this kind has the name. */
  ofName(name: string): string | undefined;
  /** Answers a domain of the object, with the names that may have records in it. */
  owned(object: T, domain: string): OwnedDomain;
  /** Answers the records that lead to the object's addresses. */
  recordsOf(site: SiteRecord, domain: string): RecordSet[];
}

/** The parts of a kind's objects on a hub, beside agents. */
export interface OwnedOnHub<T> {
  /** Kinds of hub objects that only people remove, because they may contain somebody's work. */
  keeps: readonly string[];
  /** Removes an object's remains from the hub, or begins to. */
  remove(client: HubClient, object: T): Promise<void>;
}

/** The data about an object's parts at a site that a drift check needs. */
export interface OwnedParts<T> {
  /** Whether the creation of the object has completed all parts. */
  areMade(object: T): boolean;
  /** Whether the object has storage. */
  wantsStorage(deps: Pick<Deps, "store">, object: T): Promise<boolean>;
}

/** The hooks by kind, filled only in processes that sweep hubs and sites. */
export type Owners = { readonly [K in OperatedKind]?: Owning<K> };

/**
 * Answers the hooks of a kind; undefined for an unknown kind, because a tag in an outside system may contain
 * any text.
 */
export const owningOf = (
  { owners }: Pick<StepDeps, "owners">,
  kind: string,
): Owning<OperatedKind> | undefined =>
  Object.hasOwn(owners, kind) ? owners[kind as OperatedKind] : undefined;

/** Answers the kinds whose parts at sites are checked for drift. */
export const kindsWithParts = ({ owners }: Pick<StepDeps, "owners">): SitedKind[] =>
  (Object.keys(owners) as SitedKind[]).filter((kind) => owners[kind]?.parts);

declare module "../kernel/saga/context.ts" {
  interface StepDeps {
    /** The outside parts of objects, by kind. */
    owners: Owners;
  }
}
