import type { Deps } from "../kernel/deps.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { OperatedKind } from "../kernel/object/traits.ts";
import type { OwnedDomain, RecordSet } from "../ports/dns/dns.ts";
import type { OwnedNetwork } from "../ports/fabric/fabric.ts";
import type { HubClient } from "../ports/hub/hub.ts";
import type { Owner } from "../ports/owner.ts";
import type { SitedKind, SiteRecord } from "./at-site.ts";
import type { SiteSystems } from "./sites.ts";

/** The things that the objects of a kind own outside, at sites and on hubs. */
export interface Owning<K extends OperatedKind> {
  /** Answers the owner that ownership tags name. */
  owner(object: ObjectOf[K]): Owner;
  /** Answers the object's network at a fabric; absent for a kind without networks of its own. */
  network?(object: ObjectOf[K]): OwnedNetwork;
  /** Takes what is left of the object off a fabric; absent for a kind whose `network` says what it has there. */
  removeFrom?(at: Pick<SiteSystems, "fabric" | "networks">, object: ObjectOf[K]): Promise<void>;
  domains?: OwnedDomains<ObjectOf[K]>;
  onHub?: OwnedOnHub<ObjectOf[K]>;
  /** The parts at a site that are checked for drift; absent for a kind without such checks. */
  parts?: OwnedParts<ObjectOf[K]>;
}

/** The names that the objects of a kind have in the DNS of a site. */
export interface OwnedDomains<T> {
  /** Answers the domain that a name is below; undefined for a name that no object of this kind has. */
  ofName(name: string): string | undefined;
  /** Answers a domain of the object with the names that may have records there. */
  owned(object: T, domain: string): OwnedDomain;
  /** Answers the records that lead to the object's addresses. */
  recordsOf(site: SiteRecord, domain: string): RecordSet[];
}

/** The things that the objects of a kind have on a hub, beside agents. */
export interface OwnedOnHub<T> {
  /** Kinds of hub objects that nobody but a person removes: somebody's work may be in them. */
  keeps: readonly string[];
  /** Removes what an object left on the hub, or begins to. */
  remove(client: HubClient, object: T): Promise<void>;
}

/** The facts about an object's parts at a site that a check for drift needs. */
export interface OwnedParts<T> {
  /** Whether the create of the object has made all parts. */
  areMade(object: T): boolean;
  /** Whether the object has a share of the storage. */
  wantsStorage(deps: Pick<Deps, "store">, object: T): Promise<boolean>;
}

/** The hooks by kind. Only a process that sweeps hubs and sites has them. */
export type Owners = { readonly [K in OperatedKind]?: Owning<K> };

/** Answers the hooks of a kind. Tags outside may name any kind: undefined for one that owns nothing there. */
export const owningOf = (
  { owners }: Pick<Deps, "owners">,
  kind: string,
): Owning<OperatedKind> | undefined =>
  Object.hasOwn(owners, kind) ? owners[kind as OperatedKind] : undefined;

/** Answers the kinds whose parts at sites are checked for drift. */
export const kindsWithParts = ({ owners }: Pick<Deps, "owners">): SitedKind[] =>
  (Object.keys(owners) as SitedKind[]).filter((kind) => owners[kind]?.parts);

declare module "../kernel/deps.ts" {
  interface Deps {
    /** The things that the objects of each kind own outside. */
    owners: Owners;
  }
}
