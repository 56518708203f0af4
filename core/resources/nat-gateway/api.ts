import * as z from "zod";
import { orderedOutside } from "../../at-site/order.ts";
import { ordersOutside } from "../../at-site/orders-outside.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Built, Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { idMeantHere, means, referenceTo } from "../../kernel/request/resolve.ts";
import type { Item } from "../../kernel/store/store.ts";
import { attachingFree, freeExternalIp, unfit } from "../external-ip/attached.ts";
import type { ExternalIp } from "../external-ip/model.ts";
import type { VirtualNetwork } from "../virtual-network/model.ts";
import { readyNetwork } from "../virtual-network/ready.ts";
import { asUser, claimingWayOut, natGatewayClaims, takenBy, wayOutOf } from "./claim.ts";
import type { NatGateway } from "./model.ts";
import { natGatewaySagas } from "./sagas.ts";
import { natGatewaySchema } from "./wire.ts";

const schema = inputSchema(
  z.strictObject({
    virtual_network: referenceInputSchema.describe("The network to connect to the outside."),
    external_ip: referenceInputSchema.describe("The outside address of the network."),
  }),
);
type Input = z.output<typeof schema>;
type Asked = Request<"nat_gateway", Input>;

const charge = { nat_gateways: 1 };

const rules: Definition<"nat_gateway", Input> = {
  kind: "nat_gateway",
  schema,
  tenant: "caller",
  orders: ordersOutside(natGatewaySagas, { charge, claims: natGatewayClaims }),
  build: (request) => (request.before ? unchanged(request, request.before) : built(request)),
};

/** Refuses changes: a NAT gateway keeps the spec of its order. */
async function unchanged(
  { input: { spec }, violations }: Asked,
  before: NatGateway,
): Promise<Built<"nat_gateway">> {
  for (const member of ["virtual_network", "external_ip"] as const)
    if (!means(spec[member], before.spec[member]))
      violations.push({
        field: `spec.${member}`,
        message: `field 'spec.${member}' is immutable`,
      });
  return { spec: before.spec, status: before.status };
}

async function built(request: Asked): Promise<Built<"nat_gateway">> {
  const { deps, id, tenant, input, violations } = request;
  const { virtual_network: named, external_ip } = input.spec;
  const place = { tenant, project: input.metadata.project };
  const meant = await idMeantHere(deps, "virtual_network", place, named);
  const [network, ip, claim] = await Promise.all([
    readyNetwork(request, named, meant),
    freeExternalIp(request, external_ip),
    meant === undefined ? undefined : wayOutOf(deps.store, meant),
  ]);
  const none = { id: "", name: "" };
  const spec = {
    virtual_network: network ? referenceTo(network) : none,
    external_ip: ip ? referenceTo(ip) : none,
  };
  const status = {
    state: "NAT_GATEWAY_STATE_PENDING",
    external_ip_address: ip?.address ?? "",
  } as const;
  if (!network || !ip) return { spec, status };
  refuseNetwork(request, network, claim);
  refuseAddress(request, network, ip);
  if (violations.length > 0) return { spec, status };
  const { record, writes } = await orderedOutside(request, {
    kind: "nat_gateway",
    charge,
    at: network,
  });
  return {
    spec,
    status,
    record: { ...record, network_infra_id: network.infra_id, address: ip.address },
    writes: [
      ...writes,
      ...(await attachingFree(deps, ip, asUser({ id }))),
      claimingWayOut(network.id, { id, name: input.metadata.name }),
    ],
  };
}

/** Refuses a network that already has a NAT gateway, or that cannot have one. */
function refuseNetwork(
  { id, violations }: Asked,
  { metadata, hub, spec }: VirtualNetwork,
  claim: Item | undefined,
): void {
  const refuse = (message: string) =>
    violations.push({
      field: "spec.virtual_network",
      message: `network '${metadata.name}' ${message}`,
    });
  const taken = takenBy(claim, id);
  if (taken) refuse(taken);
  if (hub) refuse("cannot have a NAT gateway: it is on a hub");
  if (spec.ipv4_cidr === undefined)
    refuse("has no ipv4_cidr, and a NAT gateway translates only IPv4");
}

/** Refuses an external IP whose address cannot lead to the place of the network. */
function refuseAddress({ violations }: Asked, network: VirtualNetwork, ip: ExternalIp) {
  const { hub, site, metadata } = network;
  const message = hub ? undefined : unfit(ip, { site, name: `network '${metadata.name}'` });
  if (message !== undefined) violations.push({ field: "spec.external_ip", message });
}

export const api = { schema: natGatewaySchema, rules } satisfies ApiOf<"nat_gateway">;
