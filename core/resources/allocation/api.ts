import * as z from "zod";
import { ticketKeyOf } from "../../kernel/claim/ticket.ts";
import type { Deps } from "../../kernel/deps.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import { allocationHostsKey } from "../../kernel/object/hub-keys.ts";
import { sharedTenant } from "../../kernel/object/metadata.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { any, compare, lacks, type Write } from "../../kernel/store/store.ts";
import { openCounters } from "../../placement/allocations/move-hosts.ts";
import { allocationCounts } from "../../placement/pool/reserved.ts";
import { hostQueue } from "../../placement/queues/tickets.ts";
import { allHostTypes, hostTypesFor } from "../bare-metal-instance-type/host-types.ts";
import { type Allocation, type AllocationSpec, reservedSchema } from "./model.ts";
import { allocationSchema } from "./wire.ts";

const schema = inputSchema(
  z.strictObject({
    host_type: referenceInputSchema
      .optional()
      .describe("The host type; either this or an instance type."),
    instance_type: referenceInputSchema
      .optional()
      .describe("The instance type; reserves hosts of every host type that matches it now."),
    site: referenceInputSchema.optional().describe("The site of the hosts; any by default."),
    reserved: reservedSchema,
  }),
);
type Asked = Request<"allocation", z.output<typeof schema>>;

/** The relay reserves and releases hosts (`reaction.ts`); requests only set their number. */
const rules: Definition<"allocation", z.output<typeof schema>> = {
  kind: "allocation",
  schema,
  tenant: "caller",
  async build(request) {
    const { id, tenant, input, before, violations } = request;
    const { reserved } = input.spec;
    if (tenant === sharedTenant)
      violations.push({
        field: "metadata.tenant",
        message: "is required: the tenant that the hosts are reserved for",
      });
    const { host_types, ...where } = await hostsMeant(request);
    const spec: AllocationSpec = { ...where, reserved };
    if (before) refuseOther(before.spec, spec, violations);
    return {
      spec,
      status: {},
      record: { host_types: before?.host_types ?? host_types },
      writes: before ? await lowered(request, reserved) : [openCounters(id, tenant)],
    };
  },
  remove: async (_, allocation) =>
    allocation.host_types.map((type) => ({ delete: ticketKeyOf(hostQueue(type), allocation) })),
  live: { members: ["kept", "used", "lacking"], read: hostsOf },
};

/** The objects that the request names, and the host types of the hosts to reserve. */
async function hostsMeant({ deps, input: { spec }, references, violations }: Asked) {
  if ((spec.host_type === undefined) === (spec.instance_type === undefined))
    violations.push({
      field: "spec.host_type",
      message: "either this or spec.instance_type is required, and not both",
    });
  const hostType =
    spec.host_type && (await references.resolve("spec.host_type", "host_type", spec.host_type));
  const type =
    spec.instance_type &&
    (await references.resolve(
      "spec.instance_type",
      "bare_metal_instance_type",
      spec.instance_type,
    ));
  const site = spec.site && (await references.resolve("spec.site", "site", spec.site));
  const { matching } = type ? hostTypesFor(await allHostTypes(deps), type) : { matching: [] };
  if (type && matching.length === 0)
    violations.push({ field: "spec.instance_type", message: "no host type matches it" });
  return {
    ...(hostType && { host_type: hostType.id }),
    ...(type && { instance_type: type.id }),
    ...(site && { site: site.id }),
    host_types: hostType ? [hostType.id] : matching.map(({ id }) => id),
  };
}

function refuseOther(
  before: AllocationSpec,
  after: AllocationSpec,
  violations: Asked["violations"],
): void {
  for (const member of ["host_type", "instance_type", "site"] as const)
    if (before[member] !== after[member])
      violations.push({
        field: `spec.${member}`,
        message: `field 'spec.${member}' is immutable`,
      });
}

/** Refuses a number that is smaller than the number of hosts that orders hold. */
async function lowered({ deps, id, violations }: Asked, reserved: number): Promise<Write[]> {
  const counters = allocationHostsKey(id);
  const { used } = allocationCounts(await deps.store.get(counters));
  if (used > reserved)
    violations.push({
      field: "spec.reserved",
      message: `must be at least ${used}: so many hosts of the allocation are in use`,
    });
  const fits = any(lacks("used"), compare("used", "le", reserved));
  return [{ check: counters, if: fits }];
}

async function hostsOf({ store }: Deps, _: Caller, found: Promise<Allocation[]>) {
  const allocations = await found;
  const counters = await store.getMany(allocations.map(({ id }) => allocationHostsKey(id)));
  return allocations.map(({ spec: { reserved } }, n) => {
    const { free: kept, used } = allocationCounts(counters[n]);
    return { kept, used, lacking: Math.max(0, reserved - kept - used) };
  });
}

export const api = { schema: allocationSchema, rules } satisfies ApiOf<"allocation">;
