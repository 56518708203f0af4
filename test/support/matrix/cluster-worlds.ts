import { expect } from "vitest";
import { asClusterId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { secretReference } from "../../../core/ports/secrets/secrets.ts";
import { renewIfDue } from "../../../core/resources/cluster/renew.ts";
import { makeAuthority } from "../../../sim/kubernetes/certificates.ts";
import { withOutside } from "../external-ips.ts";
import { allocatorIn, type GivenOutBy } from "../netbox.ts";
import { atRest, networkWithSubnet, orderOf, withNetworks } from "../networks.ts";
import type { Site, Wire } from "../site.ts";
import type { Sizes } from "./cluster-checks.ts";

/** The states that a site and a cluster are in before a saga of clusters starts. */

export function accepted({ status, body }: { status: number; body: Wire }): Wire {
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

export async function plainSite(): Promise<string> {
  return "";
}

/** The usual site, but without some of its systems. */
export const siteWithout =
  (...systems: string[]) =>
  async (site: Site): Promise<string> => {
    const spec = Object.fromEntries(systems.map((system) => [system, null]));
    accepted(await site.admin("PATCH", "sites/site-1", { spec }));
    return "";
  };

export async function siteOfAuthority(site: Site): Promise<string> {
  const authority = await makeAuthority("site-1", site.laptop.clock.now());
  const spec = {
    certificates: { authority: authority.certificate },
    secrets: { certificates: authority.key },
  };
  accepted(await site.admin("PATCH", "sites/site-1", { spec }));
  return "";
}

/** Hosts get their addresses from the site's DHCP server. */
export async function siteWithKea(site: Site): Promise<string> {
  const { dhcp, urls } = site.world.site;
  const spec = {
    dhcp: { provider: "kea", url: urls.dhcp, username: dhcp.username },
    secrets: { dhcp: dhcp.password },
  };
  accepted(await site.admin("PATCH", "sites/site-1", { spec }));
  return "";
}

/** The site's numbers are written in NetBox, and given out by it or by Slipway. */
export const siteWithNetbox =
  (givenOutBy: GivenOutBy) =>
  async (site: Site): Promise<string> => {
    const { netbox, netboxUrl: url } = site.world.site;
    const { network } = accepted(await site.admin("GET", "sites/site-1")).spec;
    const spec = {
      allocator: { ...allocatorIn(netbox, network, givenOutBy), url },
      secrets: { allocator: netbox.tokens.v2 },
    };
    accepted(await site.admin("PATCH", "sites/site-1", { spec }));
    return "";
  };

/** What orders name to stand in the subnet of `siteWithSubnet`, with its group. */
export const inSubnet = {
  network_attachment: { subnet: "shop-web", security_groups: ["web"] },
} as const;

/** A network of the tenant, with a subnet and a group that lets everything pass. */
export async function siteWithSubnet(site: Site): Promise<string> {
  await withNetworks(site);
  const { network } = await networkWithSubnet(site);
  const all = [{ protocol: "PROTOCOL_ALL", ipv4_cidr: "0.0.0.0/0" }];
  const spec = { virtual_network: network, ingress: all, egress: all };
  const group = await orderOf(site, "security_groups", "web", spec);
  expect((await atRest(site, "security_groups", group)).status.state).toMatch(/_READY$/);
  return "";
}

/** What orders ask for to have external IPs of their tenant at their endpoints. */
export const automatic = { auto_external_ip_attachment: true } as const;

export async function siteWithPool(site: Site): Promise<string> {
  await withOutside(site);
  return "";
}

export async function noSite(site: Site): Promise<string> {
  for (const hub of ["hub-a", "hub-b"])
    accepted(await site.admin("PATCH", `hubs/${hub}`, { spec: { site: null } }));
  return "";
}

/** A template without volume storage, for sites that have none. */
export async function withoutStorage(site: Site): Promise<string> {
  await template(site, "bare", { workers: { host_type: "fc430", size: 2 } });
  return siteWithout("storage")(site);
}

async function template(site: Site, id: string, node_sets: object): Promise<void> {
  const body = { id, metadata: { name: id }, node_sets, allowed_host_types: ["fc430", "h100"] };
  accepted(await site.admin("POST", "cluster_templates", body));
}

async function ordered(site: Site, spec: object = {}): Promise<string> {
  const id = await site.order("c1", spec);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

export const ready = (site: Site): Promise<string> => ordered(site);

export async function readyWithCertificate(site: Site): Promise<string> {
  await siteOfAuthority(site);
  return ordered(site);
}

/** Has the certificate of a cluster renewed that nothing is known of, and whose secret is lost. */
export async function renewLost(site: Site, id: string): Promise<void> {
  const { deps } = site.laptop;
  site.secrets.delete(secretReference.ingressCertificate(asClusterId(id)));
  await changeObject(deps, "cluster", id, ({ ingress_certificate: _, ...cluster }) => cluster);
  await renewIfDue(deps, id, "slipway");
}

/** Of two node sets of one host type, with another host type to choose. */
export async function readyOfTwo(site: Site, spec: object = {}): Promise<string> {
  await template(site, "mixed", {
    workers: { host_type: "fc430", size: 2 },
    infra: { host_type: "fc430", size: 1 },
  });
  return ordered(site, { template: "mixed", ...spec });
}

export async function readyWithExternalIps(site: Site): Promise<string> {
  await siteWithPool(site);
  return ordered(site, automatic);
}

export async function readyInSubnet(site: Site): Promise<string> {
  await siteWithSubnet(site);
  return readyOfTwo(site, inSubnet);
}

/** Has its hosts have these groups; without any they have the default group. */
export async function regroup(site: Site, id: string, groups: readonly string[]): Promise<void> {
  const spec = { network_attachment: { security_groups: groups } };
  accepted(await site.api("PATCH", `clusters/${id}`, { spec }));
}

export async function readyOfTwoTypes(site: Site): Promise<string> {
  await template(site, "types", {
    workers: { host_type: "fc430", size: 2 },
    gpu: { host_type: "h100", size: 1 },
  });
  return ordered(site, { template: "types" });
}

export async function readyWithoutNodes(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  await resize(site, id, { workers: 0 });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

export async function readyWithoutSite(site: Site): Promise<string> {
  await noSite(site);
  return readyOfTwo(site);
}

export async function readyWithKea(site: Site): Promise<string> {
  await siteWithKea(site);
  return readyOfTwo(site);
}

export const readyWithNetbox =
  (givenOutBy: GivenOutBy) =>
  async (site: Site): Promise<string> => {
    await siteWithNetbox(givenOutBy)(site);
    return readyOfTwo(site);
  };

/** More hosts on one hub than one transaction can claim. */
export const many = 85;

export async function readyAmongMany(site: Site): Promise<string> {
  for (let n = 1; n <= many; n++) {
    const part = (value: number) => value.toString(16).padStart(2, "0");
    const name = `fc430-a-x${n}`;
    const spec = {
      host_type: "fc430",
      hub: "hub-a",
      bmc: { address: `redfish-virtualmedia://192.168.9.${n}/redfish/v1/Systems/1` },
      nics: [
        {
          name: "eno1",
          mac: `52:54:00:0a:0b:${part(n)}`,
          switch: "leaf-a1",
          port: `Ethernet2/${n}`,
        },
      ],
    };
    site.world.addHost({ name, ...spec, discovered: true });
    accepted(await site.admin("POST", "hosts", { metadata: { name }, spec }));
  }
  await site.laptop.pass(6 * 60_000);
  return ordered(site, { placement: { region: "eu-west" } });
}

export async function resize(site: Site, id: string, sizes: Sizes): Promise<void> {
  const typeOf = (set: string) => (set === "gpu" ? "h100" : "fc430");
  const node_sets = Object.fromEntries(
    Object.entries(sizes).map(([set, size]) => [set, { host_type: typeOf(set), size }]),
  );
  accepted(await site.api("PATCH", `clusters/${id}`, { spec: { node_sets } }));
}

/** Takes a host of a cluster into maintenance: the one that is in it already, if there is one. */
export async function replaceOne(site: Site, id: string): Promise<void> {
  const { items } = accepted(await site.admin("GET", "hosts"));
  const held: Wire[] = items.filter(({ status }: Wire) => status.owner?.id === id);
  const host = held.find(({ status }) => status.maintenance) ?? held[0];
  accepted(await site.admin("POST", `hosts/${host.id}/maintain`));
}

/** Has the worker of a step refuse once. */
const failOnce = (site: Site, step: string) =>
  site.world.faults.add({ target: "worker", operation: step, fault: "error" });

async function settledAs(site: Site, id: string, state: string): Promise<string> {
  expect((await site.settled(id)).status.state).toBe(`OPERATION_STATE_${state}`);
  return id;
}

export async function failedCreate(site: Site): Promise<string> {
  failOnce(site, "ConfigureCluster");
  return settledAs(site, await site.order("c1"), "FAILED");
}

export async function heldCreate(site: Site): Promise<string> {
  failOnce(site, "JoinNodes");
  const order = { template: { id: "ocp_4_17_single_node" }, template_parameters: { site: "edge" } };
  return settledAs(site, await site.order("c1", order), "FAILED");
}

export async function stuckScale(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  failOnce(site, "ResizeNodePools");
  failOnce(site, "Undo ReserveHosts");
  await resize(site, id, { workers: 3, infra: 1 });
  return settledAs(site, id, "STUCK");
}

export async function stuckUpgrade(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  failOnce(site, "UpgradeNodeSets");
  failOnce(site, "Undo UpgradeControlPlane");
  await upgrade(site, id);
  return settledAs(site, id, "STUCK");
}

/** Until the step of the cluster's newest operation waits. */
async function waitingIn(site: Site, id: string, step: string): Promise<string> {
  await site.laptop.until(async () => {
    const { body } = await site.api("GET", "operations");
    const { steps } = body.items.findLast(({ spec }: Wire) => spec.target.id === id).status;
    return steps.some(({ name, state }: Wire) => name === step && state.endsWith("WAITING"));
  }, `${step} to wait`);
  return id;
}

export async function scaling(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  await resize(site, id, { workers: 3, gpu: 1 });
  return waitingIn(site, id, "ResizeNodePools");
}

export async function upgrading(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  await upgrade(site, id);
  return waitingIn(site, id, "UpgradeNodeSets");
}

export async function creating(site: Site): Promise<string> {
  return waitingIn(site, await site.order("c1"), "JoinNodes");
}

export async function upgrade(site: Site, id: string): Promise<void> {
  accepted(await site.api("PATCH", `clusters/${id}`, { spec: { version: "4-18-1" } }));
}

export async function failedScale(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  failOnce(site, "ResizeNodePools");
  await resize(site, id, { workers: 3, infra: 1 });
  return settledAs(site, id, "FAILED");
}

export async function failedUpgrade(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  failOnce(site, "UpgradeNodeSets");
  await upgrade(site, id);
  return settledAs(site, id, "FAILED");
}
