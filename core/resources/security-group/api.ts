import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { orderedOutside } from "../../at-site/order.ts";
import { ordersOutside } from "../../at-site/orders-outside.ts";
import { sagasOn } from "../../at-site/sagas-outside.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Built, Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { means, notFoundHere, referenceTo, resolveLocal } from "../../kernel/request/resolve.ts";
import { readyNetwork } from "../virtual-network/ready.ts";
import type { SecurityGroup, SecurityGroupSpec } from "./model.ts";
import {
  type Direction,
  directions,
  refuseOnHub,
  refuseRule,
  ruleInputSchema,
  ruleLimit,
  type SecurityRule,
} from "./rules.ts";
import { securityGroupSagas } from "./sagas.ts";
import { securityGroupSchema } from "./wire.ts";

const rulesSchema = z.array(ruleInputSchema).max(ruleLimit).default([]);

const schema = inputSchema(
  z.strictObject({
    virtual_network: referenceInputSchema.describe("The network of the group."),
    ingress: rulesSchema.describe(
      `The traffic allowed to its members; at most ${ruleLimit} rules.`,
    ),
    egress: rulesSchema.describe(
      `The traffic allowed from its members; at most ${ruleLimit} rules.`,
    ),
  }),
);
type Input = z.output<typeof schema>;
type Asked = Request<"security_group", Input>;

const charge = { security_groups: 1 };

const rules: Definition<"security_group", Input> = {
  kind: "security_group",
  schema,
  tenant: "caller",
  orders: ordersOutside(securityGroupSagas, {
    charge,
    update: (before, after) => {
      const isFailed = !before.made && !before.operation;
      return before.wanted === after.wanted || isFailed
        ? undefined
        : sagasOn(securityGroupSagas, after).apply;
    },
    again: (group) => {
      const { made, failure, wanted, applied } = group;
      const isBehind = made && failure && wanted !== applied;
      return isBehind
        ? { saga: sagasOn(securityGroupSagas, group).apply, change: "UPDATE" }
        : undefined;
    },
  }),
  build: (request) => (request.before ? changed(request, request.before) : built(request)),
};

/** A group with changed rules, which are a new version; its network cannot change. */
async function changed(request: Asked, before: SecurityGroup): Promise<Built<"security_group">> {
  const { input, violations } = request;
  const { virtual_network: network } = before.spec;
  if (!means(input.spec.virtual_network, network))
    violations.push({
      field: "spec.virtual_network",
      message: "field 'spec.virtual_network' is immutable",
    });
  const spec = { virtual_network: network, ...(await rulesOf(request, network, before)) };
  const isSame = isDeepStrictEqual(spec, before.spec);
  return { spec, status: before.status, record: { wanted: before.wanted + (isSame ? 0 : 1) } };
}

async function built(request: Asked): Promise<Built<"security_group">> {
  const { input, violations } = request;
  const network = await readyNetwork(request, input.spec.virtual_network);
  const reference = network ? referenceTo(network) : { id: "", name: "" };
  const spec: SecurityGroupSpec = {
    virtual_network: reference,
    ...(await rulesOf(request, reference, network ?? {})),
  };
  const status = { state: "SECURITY_GROUP_STATE_PENDING", wanted_version: 1 } as const;
  if (!network || violations.length > 0) return { spec, status };
  const ordered = await orderedOutside(request, {
    kind: "security_group",
    charge,
    at: network,
  });
  const { infra_id: network_infra_id } = network;
  const record = { ...ordered.record, network_infra_id, wanted: 1 };
  return { spec, status, ...ordered, record };
}

/** The rules of a request; each fault adds a violation that names the rule. */
async function rulesOf(
  request: Asked,
  network: Reference,
  { hub }: Pick<SecurityGroup, "hub">,
): Promise<Record<Direction, SecurityRule[]>> {
  const { input, violations } = request;
  const found: Record<Direction, SecurityRule[]> = { ingress: [], egress: [] };
  for (const direction of directions)
    for (const [n, rule] of input.spec[direction].entries()) {
      const field = `spec.${direction}[${n}]`;
      refuseRule(rule, field, violations);
      if (hub) refuseOnHub(rule, field, violations);
      const { security_group: named, ...rest } = rule;
      const group = named === undefined ? undefined : await groupOf(request, named, network, field);
      // Members that a request omits stay absent.
      found[direction].push({ ...rest, ...(group && { security_group: group }) } as SecurityRule);
    }
  return found;
}

/** The group that a rule refers to: another group of the same network, or the group itself. */
async function groupOf(
  { deps, id, tenant, input, violations }: Asked,
  named: NonNullable<z.output<typeof ruleInputSchema>["security_group"]>,
  network: Reference,
  field: string,
): Promise<Reference | undefined> {
  const own = { id, name: input.metadata.name };
  if (means(named, own)) return own;
  const place = { tenant, project: input.metadata.project };
  const group = await resolveLocal(deps, "security_group", place, named);
  const refuse = (message: string): undefined => {
    violations.push({ field: `${field}.security_group`, message });
  };
  if (!group) return refuse(notFoundHere("SecurityGroup", named));
  if (group.spec.virtual_network.id !== network.id)
    return refuse(`is a group of network '${group.spec.virtual_network.name}', not of this one`);
  return referenceTo(group);
}

export const api = { schema: securityGroupSchema, rules } satisfies ApiOf<"security_group">;
