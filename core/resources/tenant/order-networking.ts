import { AppError, errorKinds } from "../../error.ts";
import { auditedStore } from "../../kernel/audit/audited-store.ts";
import type { JsonObject } from "../../kernel/input/shape.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { load } from "../../kernel/object/records.ts";
import type { Relaying } from "../../kernel/relay/relay.ts";
import { createObject } from "../../kernel/request/crud.ts";
import type { Definition, WireInput } from "../../kernel/request/definition.ts";
import { hashOf } from "../../kernel/request/idempotency.ts";
import type { NetworkClass } from "../network-class/model.ts";
import { api as group } from "../security-group/api.ts";
import { api as subnet } from "../subnet/api.ts";
import { api as network } from "../virtual-network/api.ts";
import { defaultName, orderedBy } from "./default-objects.ts";

/**
 * Orders for a new tenant, in its name and under its quotas. Each is accepted once, even if the relay sees the change
 * several times. A refused order is skipped, and the log has the reason.
 */

const everything = { protocol: "PROTOCOL_ALL" };
/** Members of the group can be reached from other members only, and can reach everything. */
const rules = {
  ingress: [{ ...everything, security_group: defaultName }],
  egress: [{ ...everything, ipv4_cidr: "0.0.0.0/0", ipv6_cidr: "::/0" }],
};

/** Orders the network of a tenant with the prefixes of the class. */
export async function orderNetwork(
  deps: Relaying,
  { id, metadata }: ObjectOf["tenant"],
  { id: network_class, spec: { defaults = {} } }: NetworkClass,
): Promise<void> {
  const { virtual_network_ipv4_cidr: ipv4_cidr, virtual_network_ipv6_cidr: ipv6_cidr } = defaults;
  const spec = { network_class, ...given({ ipv4_cidr, ipv6_cidr }) };
  // By the creation time, a later tenant of the same name gets its own order.
  await order(deps, network.rules, id, spec, metadata.creation_timestamp);
}

/** Orders a subnet and a security group in the network. */
export async function orderParts(
  deps: Relaying,
  { id, metadata, spec }: ObjectOf["virtual_network"],
): Promise<void> {
  const found = await load(deps, "network_class", spec.network_class.id);
  const { subnet_ipv4_cidr: ipv4_cidr, subnet_ipv6_cidr: ipv6_cidr } = found?.spec.defaults ?? {};
  const { tenant } = metadata;
  const within = { virtual_network: id };
  const prefixes = given({ ipv4_cidr, ipv6_cidr });
  await order(deps, subnet.rules, tenant, { ...within, ...prefixes }, id);
  await order(deps, group.rules, tenant, { ...within, ...rules }, id);
}

const given = (prefixes: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(prefixes).flatMap(([member, cidr]) =>
      cidr === undefined ? [] : [[member, cidr]],
    ),
  );

/** Orders an object for a tenant, once for each `of`. */
async function order<K extends Kind, Input extends WireInput>(
  deps: Relaying,
  definition: Definition<K, Input>,
  tenant: string,
  spec: JsonObject,
  of: string,
): Promise<void> {
  const { kind } = definition;
  const body = { metadata: { name: defaultName }, spec };
  const key = `default ${kind} of ${of}`;
  const request = {
    actor: { user: orderedBy, tenant: "", roles: [] },
    ...{ source: "", request_id: key, kind, verb: "create", object_id: "", tenant },
  };
  // The tenant may have been deleted since; the order must not create it again.
  const asked = { ...deps, store: auditedStore(deps, request), tenants: "registered" as const };
  const idempotency = { key, hash: hashOf(kind, body) };
  try {
    await createObject(asked, { user: orderedBy, tenant, everywhere: false }, definition, body, {
      idempotency,
    });
  } catch (refusal) {
    if (!(refusal instanceof AppError) || !isFinal(refusal)) throw refusal;
    const reason = refusal.message;
    deps.log.warn({ tenant, kind, reason }, "a new tenant did not get its default networking");
  }
}

/** Whether each further try would be refused too. */
const isFinal = ({ kind }: AppError): boolean =>
  !errorKinds[kind].retry && kind !== "Conflict" && kind !== "Internal";
