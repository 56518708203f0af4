import { describe, expect, it } from "vitest";
import type { Owning } from "../../../core/at-site/owners.ts";
import type { SiteSystems } from "../../../core/at-site/sites.ts";
import type { DomainOf } from "../../../core/ports/dns/dns.ts";
import type { HubClient } from "../../../core/ports/hub/hub.ts";
import type { OwnershipTag } from "../../../core/ports/owner.ts";
import {
  type EndedOwner,
  type ExternalObject,
  type ExternalSystem,
  systemsOfHub,
  systemsOfSite,
} from "../../../core/reconcile/external-system.ts";
import { clusterRecord } from "../../support/cluster-record.ts";

/** Systems outside that note what is asked of them, for owners of a kind that the test makes up. */

const owner = { kind: "share", id: "s1", tenant: "tenant-a", name: "share-1" };
const object = clusterRecord(0, "s1");

/** A kind that has nothing but what every kind has. */
const bare: Owning<"cluster"> = { owner: () => owner };
const full: Owning<"cluster"> = {
  ...bare,
  network: () => ({ ...owner, uses: ["mount"] }),
  domains: {
    ofName: (name) => (name.startsWith("mount.") ? name.slice("mount.".length) : undefined),
    owned: (_, domain) => ({ ...owner, domain, recordNames: [`mount.${domain}`] }),
    recordsOf: () => [],
  },
  onHub: {
    keeps: ["Volume"],
    remove: async (client, { id }) => {
      await client.clusters.removeNamespace({ ...owner, id });
    },
  },
};

const thing = (kind: string, id: string): ExternalObject => ({ kind, id, owner });

/** The systems of a site and a hub, and what they are asked. */
function outside() {
  const asked: unknown[] = [];
  const note =
    <T>(what: string, answer: T) =>
    async (...args: unknown[]) => {
      asked.push([what, ...args]);
      return answer;
    };
  const absent = { state: "absent" } as const;
  const records = [
    { ...owner, name: "mount.a.example.com" },
    { ...owner, name: "www.a.example.com" },
    { ...owner, kind: "unheard_of", name: "www.b.example.com" },
  ];
  // The sweep asks for nothing else.
  const site = {
    fabric: {
      removeFloatingIps: note("removeFloatingIps", absent),
      removeAttachments: note("removeAttachments", absent),
      removeLayer3: note("removeLayer3", { state: "pending", message: "in use" }),
      removeLayer2: note("removeLayer2", absent),
      observeAll: async () => [{ ...thing("network", "n"), name: "n", owner, number: "7" }],
    },
    dns: {
      remove: note("dns.remove", undefined),
      observeAll: async (domainOf: DomainOf) =>
        records.flatMap(({ kind, id, tenant, name }) => {
          const domain = domainOf(kind, name);
          return domain === undefined ? [] : [{ kind, id, tenant, domain }];
        }),
    },
    storage: {
      remove: note("storage.remove", []),
      observeAll: async () => [{ kind: "volume", name: "v", owner }],
    },
  } as unknown as SiteSystems;
  const client = {
    observeAll: async () => [{ kind: "Pod", name: "p", namespace: "ns", owner }],
    clusters: { removeNamespace: note("removeNamespace", undefined) },
    agents: { release: note("release", undefined) },
  } as unknown as HubClient;
  // A kind that the registry does not know otherwise.
  const owners = { share: full } as never;
  const systems = [...systemsOfHub({ owners }, client), ...systemsOfSite({ owners }, site)];
  const named = (name: ExternalSystem["system"]) => {
    const found = systems.find(({ system }) => system === name);
    if (!found) throw new Error(`there is no ${name}`);
    return found;
  };
  return { asked, named };
}

describe("a list", () => {
  const tag: OwnershipTag = { kind: "share", id: "s1" };

  it.each<[ExternalSystem["system"], ExternalObject[]]>([
    ["hub", [{ kind: "Pod", id: "ns/p", owner: tag }]],
    ["fabric", [{ kind: "network", id: "n", owner: tag, number: "7" }]],
    ["storage", [{ kind: "volume", id: "v", owner: tag }]],
  ])("of the %s says of which kind each owner is", async (system, things) => {
    expect(await outside().named(system).list()).toEqual(things);
  });

  it("of the dns has domains as the owner's kind finds them, and names where nobody knows the kind", async () => {
    expect(await outside().named("dns").list()).toEqual([
      { kind: "dns_records", id: "a.example.com", owner: tag },
      { kind: "dns_records", id: "www.b.example.com", owner: { kind: "unheard_of", id: "s1" } },
    ]);
  });
});

describe("a removal", () => {
  const remove = async (
    owning: EndedOwner["owning"],
    system: ExternalSystem["system"],
    ...things: ExternalObject[]
  ) => {
    const { asked, named } = outside();
    return { removed: await named(system).remove({ object, owning }, things), asked };
  };

  it("asks for what the owner's kind says that it has, under the names that it says", async () => {
    const network = full.network?.(object);
    expect(await remove(full, "fabric", thing("network", "n"))).toEqual({
      removed: true,
      asked: ["removeFloatingIps", "removeAttachments", "removeLayer3"].map((what) => [
        what,
        network,
      ]),
    });
    const domain = full.domains?.owned(object, "a.example.com");
    expect(await remove(full, "dns", thing("dns_records", "a.example.com"))).toEqual({
      removed: true,
      asked: [["dns.remove", domain]],
    });
    expect(await remove(full, "storage", thing("volume", "v"))).toEqual({
      removed: true,
      asked: [["storage.remove", owner]],
    });
    expect(await remove(full, "hub", thing("Agent", "a"), thing("Pod", "ns/p"))).toEqual({
      removed: true,
      asked: [
        ["removeNamespace", owner],
        ["release", owner, "a"],
      ],
    });
  });

  it("leaves everything beside what the owner's kind keeps", async () => {
    const kept = await remove(full, "hub", thing("Agent", "a"), thing("Volume", "ns/v"));
    expect(kept).toEqual({ removed: false, asked: [] });
  });

  it.each<[ExternalSystem["system"], ExternalObject]>([
    ["fabric", thing("network", "n")],
    ["dns", thing("dns_records", "a.example.com")],
    ["hub", thing("Pod", "ns/p")],
  ])("touches nothing at the %s of a kind that says nothing of it", async (system, found) => {
    expect(await remove(bare, system, found)).toEqual({ removed: false, asked: [] });
  });
});
