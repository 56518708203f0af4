import { seedPool, seedZone } from "../sim/seed.ts";
import type { World } from "../sim/world.ts";

/**
 * Shell variables for the documents' commands: the addresses and credentials of a simulated site's systems, which the
 * registration of the site needs.
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
    // The values contain no quotes.
    ...Object.entries(variables).map(([name, value]) => `${name}='${value}'`),
    "",
  ].join("\n");
}
