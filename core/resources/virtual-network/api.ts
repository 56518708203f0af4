import * as z from "zod";
import { orderedOutside } from "../../at-site/order.ts";
import { ordersOutside } from "../../at-site/orders-outside.ts";
import type { Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import { load } from "../../kernel/object/records.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import { begun } from "../../kernel/request/begun.ts";
import type { Built, Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { means, referenceTo } from "../../kernel/request/resolve.ts";
import { manyAtOnce } from "../../ports/ipam/own/numbers.ts";
import { type Claimed, claimOf } from "../network-class/claim.ts";
import { defaultClass } from "../network-class/default.ts";
import { keptFrom } from "../network-class/kept.ts";
import { type NetworkClass, prefixUses } from "../network-class/model.ts";
import { prefixWith } from "../network-class/pools.ts";
import { networkLengths } from "../network-class/prefix-rules.ts";
import { type VirtualNetwork, virtualNetworkSpecSchema } from "./model.ts";
import {
  familyOfMember,
  type NetworkPrefixes,
  namesPrefixes,
  prefixesIn,
  prefixMembers,
  refusePrefixes,
} from "./prefixes.ts";
import { virtualNetworkSagas } from "./sagas.ts";
import { virtualNetworkSchema } from "./wire.ts";

const schema = inputSchema(
  z.strictObject({
    ...virtualNetworkSpecSchema.shape,
    network_class: referenceInputSchema
      .optional()
      .describe("The class that implements it; the default class by default."),
  }),
);
type Input = z.output<typeof schema>;

const charge = { virtual_networks: 1 };

const rules: Definition<"virtual_network", Input> = {
  kind: "virtual_network",
  schema,
  tenant: "caller",
  orders: ordersOutside(virtualNetworkSagas, { charge }),
  patience: manyAtOnce,
  build: (request) => (request.before ? unchanged(request, request.before) : built(request)),
};

/** Refuses changes: the spec of a network is fixed by its order. */
async function unchanged(
  { input: { spec }, violations }: Request<"virtual_network", Input>,
  before: VirtualNetwork,
): Promise<Built<"virtual_network">> {
  for (const member of prefixMembers)
    if (spec[member] !== before.spec[member])
      violations.push({ field: `spec.${member}`, message: `field 'spec.${member}' is immutable` });
  const { network_class: named } = spec;
  const isSame = named === undefined || means(named, before.spec.network_class);
  if (!isSame)
    violations.push({
      field: "spec.network_class",
      message: "field 'spec.network_class' is immutable",
    });
  return { spec: before.spec, status: before.status };
}

async function built(
  request: Request<"virtual_network", Input>,
): Promise<Built<"virtual_network">> {
  const { deps, id, input, violations } = request;
  const found = await classOf(request);
  const isGiven = namesPrefixes(input.spec, violations);
  const wantsOurs = !isGiven && prefixUses.some((use) => found?.spec.prefix_pools?.[use]);
  const given = wantsOurs ? {} : prefixesIn(input.spec, violations);
  const uses = [...(wantsOurs ? prefixUses : []), "vnis" as const];
  // Free numbers and reserved prefixes are read in parallel; both can lead to a refusal.
  const claiming = found && begun(claimOf(deps, found, uses, { kind: "virtual_network", id }));
  const kept = found && !wantsOurs ? await keptFrom(deps, found.spec) : [];
  refusePrefixes(given, { ...found?.spec, kept }, networkLengths, violations);
  const status = { state: "VIRTUAL_NETWORK_STATE_PENDING" } as const;
  if (!found || !claiming || violations.length > 0)
    return { spec: { ...given, network_class: { id: "", name: "" } }, status };
  const { record, writes } = await orderedOutside(request, {
    kind: "virtual_network",
    charge,
    at: found.spec,
  });
  const claimed = await claiming;
  const { held, numbers } = claimed;
  return {
    spec: { ...given, ...prefixesOf(found, claimed), network_class: referenceTo(found) },
    status,
    record: {
      ...record,
      ...(Object.keys(held).length > 0 && { held }),
      ...(numbers.vnis !== undefined && { vni: numbers.vnis, spread: { wanted: 1 } }),
    },
    writes: [...writes, ...claimed.writes],
  };
}

/** The prefixes that were claimed from the pools of a class. */
const prefixesOf = (
  { spec: { prefix_pools } }: NetworkClass,
  { numbers }: Claimed,
): NetworkPrefixes =>
  Object.fromEntries(
    prefixMembers.flatMap((member) => {
      const family = familyOfMember[member];
      const [pool, number] = [prefix_pools?.[family], numbers[family]];
      return pool && number !== undefined ? [[member, prefixWith(pool, number)]] : [];
    }),
  );

async function classOf({
  deps,
  input,
  violations,
  references,
}: Request<"virtual_network", Input>): Promise<NetworkClass | undefined> {
  const { network_class: named } = input.spec;
  const field = "spec.network_class";
  if (named !== undefined) return references.resolve(field, "network_class", named);
  const found = await defaultClass(deps);
  if (!found) violations.push({ field, message: "is required: there is no default class" });
  return found;
}

/**
 * The reason why an order for this network would be refused today: an old network may overlap later
 * prefixes of its site.
 */
async function networkFaults(deps: Deps, { spec }: VirtualNetwork): Promise<Violation[]> {
  const found = await load(deps, "network_class", spec.network_class.id);
  const kept = found ? await keptFrom(deps, found.spec) : [];
  const violations: Violation[] = [];
  // Skips prefixes that a class reserves, which matter only for new networks, and the prefixes of its own
  // pools, which may be any.
  const settings = { ...found?.spec, reserved: [], allows_public: true, kept };
  refusePrefixes(spec, settings, networkLengths, violations);
  return violations;
}

export const api = {
  schema: virtualNetworkSchema,
  rules,
  faults: networkFaults,
} satisfies ApiOf<"virtual_network">;
