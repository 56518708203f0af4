import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { isAddress } from "./addresses.ts";
import { grouped } from "./derived.ts";
import { badRouterRequest, conflict } from "./error.ts";
import { allocate, type WantedIp } from "./fixed-ips.ts";
import { networkOf, subnetsOf } from "./networks.ts";
import { newMac, unbound } from "./ports.ts";
import type { PortRecord, RouterRecord } from "./records.ts";
import type { FabricState } from "./state.ts";

/** Routers' gateways to the outside network. */

export const gatewaySchema = z
  .strictObject({
    network_id: z.string().optional(),
    enable_snat: z.boolean().optional(),
    external_fixed_ips: z
      .array(
        z.strictObject({
          subnet_id: z.string().optional(),
          ip_address: z.string().refine(isAddress, "is not a valid IP address").optional(),
        }),
      )
      .optional(),
  })
  .nullish();

export const gatewayPortOf = (state: FabricState, router: string): PortRecord | undefined =>
  gatewayPorts(state.records.all("port"), router)[0];

const owner = "network:router_gateway";

const gatewayPorts = grouped((port: PortRecord) =>
  port.device_owner === owner ? port.device_id : undefined,
);

type Gateway = z.infer<typeof gatewaySchema>;

/**
 * Sets a router's gateway. It keeps its address when `external_fixed_ips` is absent, or names nothing but its subnet.
 * `enable_snat` is true by default.
 */
export function setGateway(state: FabricState, router: RouterRecord, info: Gateway): RouterRecord {
  const wanted = info?.network_id ?? null;
  const port = gatewayPortOf(state, router.id);
  if (port && port.network_id === wanted) moveGateway(state, port, info);
  else {
    if (port) removeGateway(state, router, port);
    if (wanted !== null) makeGateway(state, router, wanted, info);
  }
  const changed = {
    ...router,
    gateway_network: wanted,
    enable_snat: info?.enable_snat ?? true,
  };
  state.records.put("router", changed);
  return changed;
}

function moveGateway(state: FabricState, port: PortRecord, info: Gateway): void {
  const wanted = info?.external_fixed_ips ?? [];
  if (wanted.length === 0) return;
  requireNotTheirs(state, port.network_id, wanted);
  if (!isOther(port.fixed_ips, wanted)) return;
  state.change("port", port, { fixed_ips: allocate(state, port.network_id, wanted, port) });
}

/**
 * Whether Neutron regards the requested addresses as different: it compares the set of subnets and the set of
 * addresses. So a further address of the same subnet is no change.
 */
const isOther = (has: WantedIp[], wanted: WantedIp[]): boolean =>
  (["subnet_id", "ip_address"] as const).some(
    (member) => !isDeepStrictEqual(named(has, member), named(wanted, member)),
  );

const named = (ips: WantedIp[], member: keyof WantedIp): Set<string> =>
  new Set(ips.flatMap((ip) => ip[member] ?? []));

function removeGateway(state: FabricState, router: RouterRecord, port: PortRecord): void {
  const isNeeded = state.records.all("floatingip").some(({ router_id }) => router_id === router.id);
  if (isNeeded) {
    throw conflict(
      "RouterExternalGatewayInUseByFloatingIp",
      `Gateway cannot be updated for router ${router.id}, since a gateway to external network ${port.network_id} is required by one or more floating IPs.`,
    );
  }
  state.records.remove("port", port.id);
}

function makeGateway(
  state: FabricState,
  router: RouterRecord,
  wanted: string,
  info: Gateway,
): void {
  const network = networkOf(state, wanted);
  if (!network.external) {
    throw badRouterRequest(`Network ${wanted} is not an external network`);
  }
  const ips = info?.external_fixed_ips;
  requireNotTheirs(state, wanted, ips ?? []);
  const made = {
    mac_address: newMac(state),
    device_owner: owner,
  };
  state.make("port", {
    // Has no project, so the tenant does not see it, as on the real server.
    project_id: "",
    network_id: wanted,
    admin_state_up: true,
    fixed_ips: allocate(state, wanted, ips?.length === 0 ? undefined : ips, made),
    ...unbound,
    ...made,
    device_id: router.id,
    active_at: state.now(),
  });
}

/** Refuses the address of the outside network's gateway. */
function requireNotTheirs(state: FabricState, network: string, wanted: WantedIp[]): void {
  const theirs = new Set(subnetsOf(state, network).map(({ gateway_ip }) => gateway_ip));
  const taken = wanted.find(({ ip_address }) => ip_address !== undefined && theirs.has(ip_address));
  if (!taken) return;
  throw badRouterRequest(`External IP ${taken.ip_address} is the same as the gateway IP`);
}
