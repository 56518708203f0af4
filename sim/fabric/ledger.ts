import type { LedgerItem, Owner } from "../ledger.ts";
import { gatewayPortOf } from "./gateways.ts";
import type { Common } from "./records.ts";
import { interfacesOf } from "./routers.ts";
import type { FabricState } from "./state.ts";
import { vlanOf } from "./switches.ts";

const system = "fabric";

/** Every object of the fabric, with the owner in its tags or its description. */
export function fabricItems(state: FabricState): LedgerItem[] {
  const { records } = state;
  const item = (kind: string, id: string, owner: Owner | null) => ({ kind, id, system, owner });
  const networks = new Map(records.all("network").map((one) => [one.id, ownerOf(one)]));
  const on = (network: string) => networks.get(network) ?? null;
  // The project's default group belongs to the fabric.
  const groups = records.all("security_group").filter(({ is_default }) => !is_default);
  const groupOwners = new Map(groups.map((group) => [group.id, ownerOf(group)]));
  const owners = new Map(records.all("router").map((one) => [one.id, ownerOf(one)]));

  return [
    ...records
      .all("network")
      .flatMap(({ id, vlan, physical_network }) => [
        item("network", id, on(id)),
        ...(vlan === null ? [] : [item("vlan", `${physical_network}/${vlan}`, on(id))]),
      ]),
    ...records.all("subnet").flatMap((subnet) => {
      const owner = ownerOf(subnet) ?? on(subnet.network_id);
      return [item("subnet", subnet.id, owner), item("prefix", subnet.cidr, owner)];
    }),
    ...records
      .all("router")
      .flatMap((router) => [
        item("router", router.id, ownerOf(router)),
        ...interfacesOf(state, router.id).map(({ id }) =>
          item("router_interface", id, ownerOf(router)),
        ),
        ...(gatewayPortOf(state, router.id)?.fixed_ips ?? []).flatMap(({ ip_address: address }) => [
          item("router_address", address, ownerOf(router)),
          ...(router.enable_snat ? [item("way_out", address, ownerOf(router))] : []),
        ]),
      ]),
    ...records.all("port").flatMap((port) => {
      if (port.device_owner === "network:router_interface") return [];
      const owner = ownerOf(port) ?? owners.get(port.device_id) ?? on(port.network_id);
      return [item("port", port.id, owner)];
    }),
    ...bindings(state).map(({ id, holder }) => item("port_binding", id, holder)),
    ...groups.map((group) => item("security_group", group.id, ownerOf(group))),
    ...records
      .all("security_group_rule")
      .filter(({ security_group_id: group }) => groupOwners.has(group))
      .map((rule) => {
        const owner = ownerOf(rule) ?? groupOwners.get(rule.security_group_id) ?? null;
        return item("security_group_rule", rule.id, owner);
      }),
    ...records
      .all("floatingip")
      .flatMap((floatingIp) => [
        item("floating_ip", floatingIp.id, ownerOf(floatingIp)),
        item("address", floatingIp.floating_ip_address, ownerOf(floatingIp)),
      ]),
  ];
}

/** The switch ports in a VLAN, each with the owner of its port, or of the failed removal that left it there. */
function bindings(state: FabricState): { id: string; holder: Owner | null }[] {
  const ports = state.records
    .all("port")
    .flatMap((port) => (port.plugged ? [{ ...port.plugged, owner: ownerOf(port) }] : []));
  const residues = state.records
    .all("residue")
    .map((residue) => ({ ...residue, owner: ownerOf(residue) }));
  const bySwitchPort = Map.groupBy([...ports, ...residues], (one) => `${one.switch}/${one.port}`);
  return Array.from(bySwitchPort, ([name, [holder]]) => {
    const vlan = holder && vlanOf(state, holder);
    return vlan === undefined ? [] : [{ id: `${name}:${vlan}`, holder: holder?.owner ?? null }];
  }).flat();
}

const tenantLabel = "slipway.dev/tenant";

/** The owner in the tags or, before they are set, in the description. */
export function ownerOf({ tags, description }: Pick<Common, "tags" | "description">): Owner | null {
  const named = new Map(
    [...tags, ...description.split(" ")].flatMap((word) => {
      const [, label, value] = /^(slipway\.dev\/[a-z_]+)=(\S*)$/.exec(word) ?? [];
      return label === undefined || value === undefined ? [] : [[label, value] as const];
    }),
  );
  const tenant = named.get(tenantLabel) ?? "";
  named.delete(tenantLabel);
  const [[label, id] = []] = named;
  return label && id ? { tenant, kind: label.slice("slipway.dev/".length), id } : null;
}
