import { addressIn, inUrl } from "../../kernel/input/address.ts";
import { type InventoryServer, unusable } from "../../ports/inventory/inventory.ts";
import type { HostSpec } from "./model.ts";

/** Converts a server of an inventory to a host. Pure. */

/** The rules by which a site's inventory servers become hosts. */
export interface InventoryRules {
  hub: string;
  /** The host type of each device type. */
  host_types: Readonly<Record<string, string>>;
  /** The address of a controller; `{address}` stands for its out-of-band IP. */
  bmc: string;
}

/** The members of a host that come from its inventory. */
export type InventoriedSpec = Pick<HostSpec, "host_type" | "hub" | "nics" | "serial"> & {
  bmc: Pick<HostSpec["bmc"], "address">;
};

/** The host, with its unused interfaces and the reasons; or why the server cannot be a host. */
export type FromInventory =
  | { spec: InventoriedSpec; leftOut: string[] }
  | { spec?: undefined; unusable: string };

export function hostOf(server: InventoryServer, rules: InventoryRules): FromInventory {
  const { name, deviceType, outOfBand, interfaces } = server;
  const leftOut = interfaces.flatMap((one) => {
    const reason = unusable(one);
    return reason === undefined ? [] : [`${one.name}: ${reason}`];
  });
  const nics = interfaces.flatMap((one) =>
    unusable(one) === undefined && one.link.state === "connected" && one.mac !== undefined
      ? [{ name: one.name, mac: one.mac, switch: one.link.switch, port: one.link.port }]
      : [],
  );
  const host_type = Object.hasOwn(rules.host_types, deviceType)
    ? rules.host_types[deviceType]
    : undefined;
  if (name === "") return { unusable: "it has no name" };
  if (host_type === undefined)
    return { unusable: `no host type is named for the device type ${deviceType}` };
  if (outOfBand === undefined) return { unusable: "it has no out-of-band IP" };
  if (nics.length === 0)
    return {
      unusable: `none of its interfaces can be used (${leftOut.join("; ") || "it has none"})`,
    };
  const address = addressIn(outOfBand);
  if (address === undefined)
    return { unusable: `its out-of-band IP ${outOfBand} is not a plain address` };
  const bmc = { address: rules.bmc.replaceAll("{address}", inUrl(address)) };
  const { serial } = server;
  const spec = { host_type, hub: rules.hub, bmc, nics, ...(serial !== "" && { serial }) };
  return { spec, leftOut };
}

/** The differences of a host from its inventory, for people; empty without any. */
export function differences(host: InventoriedSpec, wanted: InventoriedSpec): string[] {
  const changed = (what: string, from: string, to: string) =>
    from === to ? [] : [`${what} is ${to} there, and ${from} here`];
  const byName = new Map(wanted.nics.map((nic) => [nic.name, nic]));
  const had = new Set(host.nics.map(({ name }) => name));
  return [
    ...changed("its host type", host.host_type, wanted.host_type),
    ...(wanted.serial === undefined
      ? []
      : changed("its serial number", host.serial ?? "not known", wanted.serial)),
    ...changed("its hub", host.hub, wanted.hub),
    ...changed("the address of its controller", host.bmc.address, wanted.bmc.address),
    ...host.nics.flatMap((nic) => {
      const there = byName.get(nic.name);
      if (!there) return [`${nic.name} is not usable there`];
      return [
        ...changed(`the MAC address of ${nic.name}`, nic.mac, there.mac),
        ...changed(`the port of ${nic.name}`, portOf(nic), portOf(there)),
      ];
    }),
    ...wanted.nics.flatMap((nic) =>
      had.has(nic.name) ? [] : [`${nic.name} is new there, at ${portOf(nic)}`],
    ),
  ];
}

const portOf = (nic: { switch: string; port: string }): string => `${nic.switch} ${nic.port}`;
