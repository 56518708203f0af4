import * as z from "zod";
import { macIn } from "../../../mac.ts";
import type { InventoryInterface, InventoryServer, Link } from "../inventory.ts";

/** Devices and interfaces of NetBox's API, and their conversion for the port. */

const named = z.object({ name: z.string() });

export const deviceSchema = z.object({
  id: z.int(),
  name: z.string().nullable(),
  serial: z.string(),
  site: named,
  rack: named.nullable(),
  role: named,
  status: z.object({ value: z.string() }),
  device_type: z.object({ model: z.string() }),
  tags: z.array(z.object({ slug: z.string() })),
  oob_ip: z.object({ address: z.string() }).nullable(),
});
type Device = z.infer<typeof deviceSchema>;

/** The far end of a cable or of a whole path. Circuits and power feeds have no device. */
const farEnd = z.object({
  name: z.string().optional(),
  display: z.string().optional(),
  device: z.object({ name: z.string().nullable(), display: z.string().optional() }).optional(),
});
type FarEnd = z.infer<typeof farEnd>;

export const interfaceSchema = z.object({
  id: z.int(),
  device: z.object({ id: z.int() }),
  name: z.string(),
  type: z.object({ value: z.string() }),
  mgmt_only: z.boolean(),
  // Since 4.2 the interface's primary MAC address, still under the old name.
  mac_address: z.string().nullable(),
  cable: z.unknown(),
  link_peers: z.array(farEnd),
  connected_endpoints: z.array(farEnd).nullable(),
  connected_endpoints_type: z.string().nullable(),
  // Null if the interface has no cable.
  connected_endpoints_reachable: z.boolean().nullable(),
});
export type Interface = z.infer<typeof interfaceSchema>;

/** The requested members: complete devices would include their rendered configuration. */
export const deviceFieldsOf = ({ shape }: z.ZodObject): string => Object.keys(shape).join(",");

export const inventoryServer = (
  device: Device,
  interfaces: readonly Interface[],
): InventoryServer => ({
  id: String(device.id),
  name: device.name ?? "",
  serial: device.serial,
  site: device.site.name,
  ...(device.rack && { rack: device.rack.name }),
  role: device.role.name,
  status: device.status.value,
  deviceType: device.device_type.model,
  tags: device.tags.map(({ slug }) => slug),
  ...(device.oob_ip && { outOfBand: device.oob_ip.address.split("/")[0] ?? "" }),
  interfaces: interfaces.map(interfaceOf),
});

const virtualTypes: ReadonlySet<string> = new Set(["virtual", "bridge", "lag"]);

const interfaceOf = (one: Interface): InventoryInterface => ({
  name: one.name,
  isVirtual: virtualTypes.has(one.type.value),
  isManagement: one.mgmt_only,
  ...(one.mac_address && { mac: macIn(one.mac_address) ?? one.mac_address }),
  link: linkOf(one),
});

function linkOf(one: Interface): Link {
  const { connected_endpoints: ends, link_peers: peers } = one;
  const [end, ...others] = ends ?? [];
  if (!end) {
    const isCabled = typeof one.cable === "object" && one.cable !== null;
    const at = peers.map(inWords).join(", ") || "an end that is not plugged in";
    return isCabled ? { state: "open", at } : { state: "uncabled" };
  }
  const to = switchOf(end);
  const isInterface = one.connected_endpoints_type === "dcim.interface";
  if (others.length > 0 || !isInterface || !to || !end.name)
    return { state: "unclear", to: [end, ...others].map(inWords).join(", ") };
  const state = one.connected_endpoints_reachable ? "connected" : "inactive";
  return { state, switch: to, port: end.name };
}

/**
 * NetBox's display name of an unnamed member of a virtual chassis: the chassis's name, its position, and its
 * id or asset tag.
 */
const stackMember = /^(?<stack>.+):\d+( \(.*\))?$/;

/**
 * The switch at the far end: the device by its name, or its virtual chassis, which is one switch whatever its
 * members are called.
 */
const switchOf = ({ device }: FarEnd): string | undefined =>
  device?.name || stackMember.exec(device?.display ?? "")?.groups?.stack;

const inWords = ({ name, display, device }: FarEnd): string =>
  [device?.name ?? device?.display, name ?? display].filter(Boolean).join(" ");
