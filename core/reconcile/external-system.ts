import { type Owning, owningOf } from "../at-site/owners.ts";
import type { SiteSystems } from "../at-site/sites.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { OperatedKind } from "../kernel/object/traits.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import type { Dhcp } from "../ports/dhcp/dhcp.ts";
import type { Dns } from "../ports/dns/dns.ts";
import type { Fabric } from "../ports/fabric/fabric.ts";
import type { HubClient } from "../ports/hub/hub.ts";
import type { Orphan, OrphanSystem } from "../ports/orphan.ts";
import type { OwnershipTag } from "../ports/owner.ts";
import type { Storage } from "../ports/storage/storage.ts";

/** An object outside with our ownership tag. */
export type ExternalObject = Pick<Orphan, "kind" | "id" | "owner" | "number">;

/** A deleted owner, in its state at the end of its last operation. */
export interface EndedOwner {
  object: ObjectOf[OperatedKind];
  owning: Owning<OperatedKind>;
}

/** A system outside, as the orphan sweep uses it. */
export interface ExternalSystem {
  system: OrphanSystem;
  /** Every object with our ownership tag, of any owner. */
  list(): Promise<ExternalObject[]>;
  /**
   * Removes the remains of a deleted owner, or begins to; false if they must not be removed. `things`: everything of
   * the owner that the sweep found here.
   */
  remove(ended: EndedOwner, things: ExternalObject[]): Promise<boolean>;
}

const tagOf = ({ kind, id }: OwnershipTag): OwnershipTag => ({ kind, id });

export const systemsOfHub = (
  { owners }: Pick<StepDeps, "owners">,
  client: HubClient,
): ExternalSystem[] => [
  {
    system: "hub",
    list: async () =>
      (await client.observeAll(Object.keys(owners))).map(({ kind, name, namespace, owner }) => ({
        kind,
        id: namespace === undefined || kind === "Agent" ? name : `${namespace}/${name}`,
        owner: tagOf(owner),
      })),
    async remove({ object, owning }, things) {
      const { onHub } = owning;
      if (things.some(({ kind }) => onHub?.keeps.includes(kind))) return false;
      const [agents, objects] = [true, false].map((wanted) =>
        things.filter(({ kind }) => (kind === "Agent") === wanted),
      );
      if (objects?.length) {
        if (!onHub) return false;
        await onHub.remove(client, object);
      }
      // The agent itself stays; one that is bound keeps its labels.
      for (const { id } of agents ?? []) await client.agents.release(owning.owner(object), id);
      return true;
    },
  },
];

export const systemsOfSite = (
  deps: Pick<StepDeps, "owners">,
  { fabric, networks, dhcp, dns, storage }: SiteSystems,
): ExternalSystem[] => [
  ...(fabric ? [ofFabric(fabric, networks)] : []),
  ...(dhcp ? [ofDhcp(dhcp)] : []),
  ...(dns ? [ofDns(deps, dns)] : []),
  ...(storage ? [ofStorage(storage)] : []),
];

const ofFabric = (fabric: Fabric, networks: SiteSystems["networks"]): ExternalSystem => ({
  system: "fabric",
  list: async () =>
    (await fabric.observeAll()).map(({ kind, id, owner, number }) => ({
      kind,
      id,
      owner: tagOf(owner),
      ...(number !== undefined && { number }),
    })),
  async remove({ object, owning }) {
    if (owning.removeFrom) {
      await owning.removeFrom({ fabric, ...(networks && { networks }) }, object);
      return true;
    }
    const network = owning.network?.(object);
    if (!network) return false;
    const inTurn = [
      () => fabric.removeFloatingIps(network),
      () => fabric.removeAttachments(network),
      () => fabric.removeLayer3(network),
      () => fabric.removeLayer2(network),
    ];
    // Stop at the first part that is still in use; the next sweep continues.
    for (const remove of inTurn) if ((await remove()).state !== "absent") break;
    return true;
  },
});

const ofDhcp = (dhcp: Dhcp): ExternalSystem => ({
  system: "dhcp",
  list: async () =>
    (await dhcp.observeAll()).map(({ prefix, ...owner }) => ({
      kind: "subnet",
      id: prefix,
      owner: tagOf(owner),
      number: prefix,
    })),
  async remove({ object, owning }, things) {
    const { kind, id, tenant } = owning.owner(object);
    for (const { id: prefix } of things) await dhcp.remove({ kind, id, tenant, prefix });
    return true;
  },
});

const ofDns = (deps: Pick<StepDeps, "owners">, dns: Dns): ExternalSystem => ({
  system: "dns",
  async list() {
    const domainOf = (kind: string, name: string) => {
      const domains = owningOf(deps, kind)?.domains;
      return domains ? domains.ofName(name) : name;
    };
    return (await dns.observeAll(domainOf)).map((owner) => ({
      kind: "dns_records",
      id: owner.domain,
      owner: tagOf(owner),
    }));
  },
  async remove({ object, owning: { domains } }, things) {
    if (!domains) return false;
    for (const { id: domain } of things) await dns.remove(domains.owned(object, domain));
    return true;
  },
});

const ofStorage = (storage: Storage): ExternalSystem => ({
  system: "storage",
  list: async () =>
    (await storage.observeAll()).map(({ kind, name, owner }) => ({
      kind,
      id: name,
      owner: tagOf(owner),
    })),
  async remove({ object, owning }) {
    // A share with volumes is not removed: they belong to the tenant, and people have to decide.
    return (await storage.remove(owning.owner(object))).length === 0;
  },
});
