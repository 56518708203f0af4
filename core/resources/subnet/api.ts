import * as z from "zod";
import { orderedOutside } from "../../at-site/order.ts";
import { ordersOutside } from "../../at-site/orders-outside.ts";
import type { Deps } from "../../kernel/deps.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import { load } from "../../kernel/object/records.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Built, Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { idMeantHere, means, referenceTo } from "../../kernel/request/resolve.ts";
import { manyAtOnce } from "../../ports/ipam/own/numbers.ts";
import type { NetworkClass } from "../network-class/model.ts";
import { subnetLengths } from "../network-class/prefix-rules.ts";
import type { VirtualNetwork } from "../virtual-network/model.ts";
import {
  namesPrefixes,
  prefixesIn,
  prefixMembers,
  refusePrefixes,
} from "../virtual-network/prefixes.ts";
import { readyNetwork } from "../virtual-network/ready.ts";
import { hasPlaces } from "./addresses.ts";
import { type Subnet, subnetSpecSchema } from "./model.ts";
import { subnetSagas } from "./sagas.ts";
import { claimSubnetPrefixes, freePrefixes, siblingsIn } from "./siblings.ts";
import { addressUsage } from "./usage.ts";
import { subnetSchema } from "./wire.ts";

const schema = inputSchema(
  z.strictObject({
    ...subnetSpecSchema.shape,
    virtual_network: referenceInputSchema.describe("The network of the subnet."),
  }),
);
type Input = z.output<typeof schema>;

const charge = { subnets: 1 };

const rules: Definition<"subnet", Input> = {
  kind: "subnet",
  schema,
  tenant: "caller",
  orders: ordersOutside(subnetSagas, { charge }),
  patience: manyAtOnce,
  live: {
    members: ["addresses"],
    read: async (deps, _, found) =>
      Promise.all(
        (await found).map(async (subnet) => {
          const addresses = await addressUsage(deps, subnet);
          return addresses ? { addresses } : {};
        }),
      ),
  },
  build: (request) => (request.before ? unchanged(request, request.before) : built(request)),
};

/** Refuses changes: a subnet keeps the spec of its order. */
async function unchanged(
  { input: { spec }, violations }: Request<"subnet", Input>,
  before: Subnet,
): Promise<Built<"subnet">> {
  const refuse = (field: string) =>
    violations.push({ field, message: `field '${field}' is immutable` });
  for (const member of prefixMembers)
    if (spec[member] !== before.spec[member]) refuse(`spec.${member}`);
  if (!means(spec.virtual_network, before.spec.virtual_network)) refuse("spec.virtual_network");
  return { spec: before.spec, status: before.status };
}

async function built(request: Request<"subnet", Input>): Promise<Built<"subnet">> {
  const { deps, id, tenant, input, violations } = request;
  const place = { tenant, project: input.metadata.project };
  const meant = await idMeantHere(deps, "virtual_network", place, input.spec.virtual_network);
  const [network, siblings] = await Promise.all([
    readyNetwork(request, input.spec.virtual_network, meant),
    siblingsIn(deps.store, meant),
  ]);
  const status = { state: "SUBNET_STATE_PENDING" } as const;
  if (!network) return { spec: { virtual_network: { id: "", name: "" } }, status };
  const isGiven = namesPrefixes(input.spec, violations);
  const prefixes = isGiven
    ? prefixesIn(input.spec, violations)
    : freePrefixes(siblings, network, (await classOf(deps, network))?.spec.subnet_lengths);
  // The class's rules for prefixes are enforced for the network, and thus for all prefixes within it.
  refusePrefixes(prefixes, { allows_public: true }, subnetLengths, violations);
  if (network.spread && !hasPlaces(prefixes))
    violations.push({
      field: "spec.ipv6_cidr",
      message: `has fewer addresses than ${prefixes.ipv4_cidr}: in an overlay each member has one at the same place of both`,
    });
  const claim = claimSubnetPrefixes(siblings, { network, subnet: id, prefixes }, violations);
  const spec = { ...prefixes, virtual_network: referenceTo(network) };
  if (violations.length > 0) return { spec, status };
  const { infra_id: network_infra_id } = network;
  const { record, writes } = await orderedOutside(request, {
    kind: "subnet",
    charge,
    at: network,
  });
  return {
    spec,
    status,
    record: {
      ...record,
      network_infra_id,
      ...(network.spread && { spread: { wanted: 1 } }),
    },
    writes: [...writes, ...claim],
  };
}

const classOf = (deps: Deps, { spec }: VirtualNetwork): Promise<NetworkClass | undefined> =>
  load(deps, "network_class", spec.network_class.id);

export const api = { schema: subnetSchema, rules } satisfies ApiOf<"subnet">;
