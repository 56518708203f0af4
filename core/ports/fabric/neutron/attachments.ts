import { isDeepStrictEqual } from "node:util";
import type { Attachment, Detached, HostLink, Removal } from "../fabric.ts";
import type { NeutronApi } from "./api.ts";
import { hostOfPort, hostPortName } from "./names.ts";
import type { NeutronSubnet, Port } from "./objects.ts";
import { type OwnedInNeutron, progressOf, removal, type Security } from "./owned.ts";

/**
 * Bare metal ports. A failed binding is no HTTP error: the port shows it, and any later update of the port
 * binds again.
 */
export async function ensurePorts(
  api: NeutronApi,
  ours: OwnedInNeutron,
  links: HostLink[],
): Promise<Attachment[]> {
  const subnet = await ours.subnet();
  const known = await ours.portsOn(subnet);
  const security = await ours.security(known);
  const attached = new Map<HostLink, Attachment>();
  // A switch is configured by one request at a time: parallel ones would time out.
  const bySwitch = Map.groupBy(links, (link) => link.switch);
  const groups = await Promise.allSettled(
    Array.from(bySwitch.values(), async (group) => {
      for (const link of group) {
        const port = await attach(api, ours, { subnet, link, known, security });
        attached.set(link, attachmentOf(link.host, port));
      }
    }),
  );
  for (const group of groups) if (group.status === "rejected") throw group.reason;
  return links.flatMap((link) => attached.get(link) ?? []);
}

interface Wanted {
  subnet: NeutronSubnet;
  link: HostLink;
  /** The network's ports before the call. */
  known: Port[];
  security: Security;
}

async function attach(
  api: NeutronApi,
  ours: OwnedInNeutron,
  { subnet, link, known, security }: Wanted,
): Promise<Port> {
  const name = hostPortName(ours.owned, link);
  const binding = bindingOf(link);
  const { address } = link;
  const named = (ports: Port[]) => ports.find((port) => port.name === name);
  const found = named(known);
  const port = found
    ? await ours.adopt("ports", found)
    : await ours.make("ports", name, async () => named(await ours.portsOn(subnet)), {
        network_id: subnet.network_id,
        name,
        mac_address: link.mac,
        admin_state_up: true,
        fixed_ips: [
          { subnet_id: subnet.id, ...(address !== undefined && { ip_address: address }) },
        ],
        ...security,
        ...binding,
      });
  // The binding of a port that is down may have failed at the switch; an update binds it again.
  const isStale = found !== undefined && port.status !== "ACTIVE";
  if (isBound(port, binding) && !isStale) return port;
  return api.update("ports", port.id, binding);
}

function bindingOf(link: HostLink) {
  const isMac = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(link.switch);
  const switchName = isMac ? { switch_id: link.switch } : { switch_info: link.switch };
  return {
    "binding:vnic_type": "baremetal",
    "binding:host_id": link.host,
    "binding:profile": { local_link_information: [{ ...switchName, port_id: link.port }] },
  };
}

function isBound(port: Port, binding: ReturnType<typeof bindingOf>): boolean {
  return (
    port["binding:vif_type"] === "other" &&
    port["binding:host_id"] === binding["binding:host_id"] &&
    isDeepStrictEqual(
      port["binding:profile"]?.local_link_information,
      binding["binding:profile"].local_link_information,
    )
  );
}

/** The attachments among the ports of a network. */
export function attachmentsAmong(ours: OwnedInNeutron, ports: Port[]): Attachment[] {
  return ports.flatMap((port) => {
    const host = hostOfPort(ours.owned, port.name);
    return host === undefined ? [] : [attachmentOf(host, port)];
  });
}

function attachmentOf(host: string, port: Port): Attachment {
  const { mac_address: mac, fixed_ips: fixedIps, status } = port;
  const address = fixedIps[0]?.ip_address;
  const is = { host, mac, ...(address !== undefined && { address }) };
  const vifType = port["binding:vif_type"];
  switch (vifType) {
    case "binding_failed":
      return {
        ...is,
        state: "refused",
        message: `the fabric could not bind ${mac} to ${switchPortOf(port)}`,
      };
    case "unbound":
      return { ...is, state: "pending", message: `the port of ${mac} is not bound yet` };
    case "other": {
      const progress = progressOf(`the port of ${mac}`, status);
      if (progress.state === "pending" || progress.state === "unknown") {
        return { ...is, state: progress.state, message: progress.message };
      }
      return progress.state === "failed"
        ? { ...is, state: "refused", message: progress.message }
        : { ...is, state: "bound" };
    }
    default: {
      const words = vifType === undefined ? "is not visible to Slipway" : `is '${vifType}'`;
      return { ...is, state: "unknown", message: `how the port of ${mac} is bound ${words}` };
    }
  }
}

function switchPortOf(port: Port): string {
  const links = port["binding:profile"]?.local_link_information;
  return links === undefined ? "its switch port" : `switch port ${JSON.stringify(links)}`;
}

export async function removeAttachments(
  api: NeutronApi,
  ours: OwnedInNeutron,
  only?: Detached,
): Promise<Removal> {
  const isMeant = meantBy(only);
  return removal(async () => {
    for (const { id: network_id } of await ours.segments()) {
      for (const port of await ours.portsOn({ network_id })) {
        const host = hostOfPort(ours.owned, port.name);
        if (host !== undefined && isMeant(host, port)) await api.remove("ports", port.id);
      }
    }
  });
}

function meantBy(only: Detached | undefined): (host: string, port: Port) => boolean {
  if (!only) return () => true;
  if ("hosts" in only) {
    const hosts = new Set<string>(only.hosts);
    return (host) => hosts.has(host);
  }
  const macs = new Set(only.macs.map((mac) => mac.toLowerCase()));
  return (_, { mac_address: mac }) => macs.has(mac.toLowerCase());
}
