import { seedPool, seedZone } from "../sim/seed.ts";
import type { World } from "../sim/world.ts";

/**
 * What the people of a simulated site would tell whoever registers it, as shell variables for the
 * documents' commands: where its systems answer, and how to log in there.
 */
export function siteSh(
  world: World,
  urls: World["site"]["urls"] & { ironic: string },
  nameServer: string,
): string {
  const { fabric, dhcp, dns, storage } = world.site;
  const { credential } = fabric.keystone;
  const variables = {
    fabric_url: urls.fabric,
    fabric_credential: credential.id,
    fabric_secret: credential.secret,
    physical_network: fabric.physicalNetwork,
    external_network: fabric.externalNetwork,
    dhcp_url: urls.dhcp,
    dhcp_username: dhcp.username,
    dhcp_password: dhcp.password,
    dns_url: urls.dns,
    dns_key: dns.key,
    dns_zone: seedZone,
    dns_server: nameServer,
    storage_url: urls.storage,
    storage_pool: seedPool,
    storage_username: storage.username,
    storage_password: storage.password,
    ironic_url: urls.ironic,
    ironic_username: world.ironic.credential.username,
    ironic_password: world.ironic.credential.password,
    bmc_username: world.bmcs.credential.username,
    bmc_password: world.bmcs.credential.password,
  };
  return [
    "# Written by npm run dev: the systems of the simulated site, for the commands of docs/first-cluster.",
    // None of them has a quote in it.
    ...Object.entries(variables).map(([name, value]) => `${name}='${value}'`),
    "",
  ].join("\n");
}
