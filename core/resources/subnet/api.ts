import * as z from "zod";
import { newInfraId } from "../../id.ts";
import { idSchema, referenceInputSchema, systemMetadata } from "../../kernel/input/reference.ts";
import { infraKey } from "../../kernel/object/keys.ts";
import { metadataInputSchema } from "../../kernel/object/metadata.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Built, Definition, Request } from "../../kernel/request/definition.ts";
import { idMeantHere, keysMeantHere, means, referenceTo } from "../../kernel/request/resolve.ts";
import { ordersBy } from "../../kernel/saga/orders.ts";
import { absent } from "../../kernel/store/store.ts";
import { accountKeys, claimQuota } from "../quota/account.ts";
import { prefixMembers, refusePrefixes, subnetLengths } from "../virtual-network/prefixes.ts";
import { readyNetwork } from "../virtual-network/ready.ts";
import { type Subnet, subnetSpecSchema } from "./model.ts";
import { subnetSagas } from "./sagas.ts";
import { claimPrefixes, siblingsIn } from "./siblings.ts";
import { subnetSchema } from "./wire.ts";

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  spec: z.strictObject({
    ...subnetSpecSchema.shape,
    virtual_network: referenceInputSchema.describe("The network that it is a part of."),
  }),
  status: z.unknown().optional(),
});
type Input = z.output<typeof schema>;

const rules: Definition<"subnet", Input> = {
  kind: "subnet",
  schema,
  tenant: "caller",
  ahead(place, spec) {
    const { data: named } = referenceInputSchema.safeParse(spec.virtual_network);
    const network = named === undefined ? [] : keysMeantHere("virtual_network", place, named);
    return [...network, ...accountKeys(place)];
  },
  orders: ordersBy(subnetSagas),
  build: (request) => (request.before ? unchanged(request, request.before) : built(request)),
};

/** A subnet keeps what it was ordered with. */
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
  const { ipv4_cidr, ipv6_cidr } = input.spec;
  const prefixes = { ...(ipv4_cidr && { ipv4_cidr }), ...(ipv6_cidr && { ipv6_cidr }) };
  if (Object.keys(prefixes).length === 0)
    violations.push({ field: "spec", message: "needs ipv4_cidr or ipv6_cidr, or both" });
  const meant = await idMeantHere(
    deps,
    "virtual_network",
    placeOf(request),
    input.spec.virtual_network,
  );
  const [network, siblings] = await Promise.all([
    readyNetwork(request, input.spec.virtual_network, meant),
    siblingsIn(deps.store, meant),
  ]);
  const status = { state: "SUBNET_STATE_PENDING" } as const;
  if (!network) return { spec: { ...prefixes, virtual_network: { id: "", name: "" } }, status };
  // What the class allows holds for the network's prefixes, and so for all within.
  refusePrefixes(prefixes, { allows_public: true }, subnetLengths, violations);
  const claim = claimPrefixes(siblings, { network, subnet: id, prefixes }, violations);
  const spec = { ...prefixes, virtual_network: referenceTo(network) };
  if (violations.length > 0) return { spec, status };
  // Each try takes another name, because a taken name may be the reason for the retry.
  const infra_id = newInfraId(deps.random);
  const charge = { subnets: 1 };
  const { project } = input.metadata;
  const place = { tenant, ...(project ? { project } : {}) };
  const { site } = network;
  return {
    spec,
    status,
    record: {
      infra_id,
      network_infra_id: network.infra_id,
      charge,
      ...(site && { site: { id: site.id, parts: {} } }),
    },
    writes: [
      { put: { ...infraKey(infra_id), subnet: id }, if: absent },
      ...claim,
      ...(await claimQuota(deps, undefined, { metadata: place, charge }, () => "spec")),
    ],
  };
}

const placeOf = ({ tenant, input }: Request<"subnet", Input>) => ({
  tenant,
  project: input.metadata.project,
});

export const api = { schema: subnetSchema, rules } satisfies ApiOf<"subnet">;
