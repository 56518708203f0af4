import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Violation } from "../../error.ts";
import { claimQuota } from "../../kernel/claim/quota.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { JsonObject } from "../../kernel/input/shape.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import type { Accepted, CreateOptions } from "../../kernel/request/checks.ts";
import { createTogether, type Joining } from "../../kernel/request/create-together.ts";
import { placeOf } from "../../kernel/request/place.ts";
import { type Racks, racksAsked } from "../../placement/pool/host.ts";
import {
  type InstanceInput,
  instanceInputSchema,
} from "../baremetal-instance-template/order-input.ts";
import { rules } from "./api.ts";
import { searchHostTypes } from "./host-type.ts";
import type { Batch } from "./model.ts";
import { builtUncounted } from "./order.ts";
import { beyondHosts } from "./registered-hosts.ts";

/** Orders for several servers that get their hosts at the same time. */

/**
 * The limit of a batch: one transaction accepts all orders with their audit entries, and one later claims all
 * hosts.
 */
const batchLimit = 12;

export const batchSchema = z.strictObject({
  items: z
    .array(instanceInputSchema)
    .min(1)
    .max(batchLimit)
    .describe("The servers, each as in a single order."),
  racks: z
    .enum(racksAsked)
    .optional()
    .describe("`same`: all hosts in one rack; `spread`: each host in another rack."),
});

type One = Joining<"baremetal_instance", InstanceInput>;

/** Accepts all orders of a body, or none; the body is valid by its schema. Throws the errors of a single order. */
export function orderBatch(
  deps: Deps,
  caller: Caller,
  { items, racks }: JsonObject,
  options: CreateOptions,
): Promise<Accepted<"baremetal_instance">[]> {
  const [body = {}] = Array.isArray(items) ? items : [];
  const search = searchHostTypes(deps, placeOf(body).tenant || caller.tenant);
  return createTogether(
    deps,
    caller,
    { ...rules, build: (request) => builtUncounted(request, search) },
    Array.isArray(items) ? items : [],
    {
      ...options,
      join: async (joining, violations) => {
        refuseApart(joining, violations);
        refuseExternalIps(joining, violations);
        const batch = batchOf(
          deps,
          joining,
          racksAsked.find((each) => each === racks),
        );
        refuseOtherTypes(batch, violations);
        const [first] = joining;
        const servers = joining.map(({ built }) => built);
        if (first && violations.length === 0)
          violations.push(...(await beyondHosts(deps, first.tenant, servers, search.fleet)));
        const writes = violations.length === 0 ? await quotaOf(deps, joining) : [];
        return { record: { batch }, writes };
      },
    },
  );
}

const batchOf = ({ newId }: Deps, joining: One[], racks: Racks | undefined): Batch => ({
  id: newId(),
  members: joining.map(({ id }) => id),
  host_types: [...new Set(joining.map(({ built }) => built.record?.host_type ?? ""))],
  ...(racks && { racks }),
});

/**
 * The limit with external IPs: a server needs seven writes and its external IP about twenty, so twelve of them
 * exceed one transaction.
 */
function refuseExternalIps(joining: One[], violations: Violation[]): void {
  for (const [n, { built }] of joining.entries())
    if (built.spec.auto_external_ip_attachment)
      violations.push({
        field: `items[${n}].spec.auto_external_ip_attachment`,
        message:
          "is not possible in a batch, whose transaction has no room for the addresses; attach external IPs once the servers run",
      });
}

/**
 * Refuses a batch of different types under a rule for racks, because hosts of different types are in different
 * racks.
 */
function refuseOtherTypes({ racks, host_types }: Batch, violations: Violation[]): void {
  if (racks === undefined || host_types.length <= 1) return;
  const message = `needs servers of one host type; the instance types match ${host_types.length} host types`;
  violations.push({ field: "racks", message });
}

/**
 * Refuses a batch with different places or projects: one hub serves all, and the quotas of one project count
 * them.
 */
function refuseApart([first, ...others]: One[], violations: Violation[]): void {
  const same: [string, (one: One) => unknown][] = [
    ["metadata.tenant", ({ tenant }) => tenant],
    ["metadata.project", ({ input }) => input.metadata.project ?? ""],
    ["spec.placement", ({ built }) => built.spec.placement],
    ["spec.network_attachments", ({ built }) => built.record?.site?.id],
  ];
  for (const [n, each] of others.entries())
    for (const [field, of] of same)
      if (first && !isDeepStrictEqual(of(first), of(each)))
        violations.push({
          field: `items[${n + 1}].${field}`,
          message:
            field === "spec.network_attachments"
              ? "must be at the site of items[0]"
              : "must be the same as in items[0]",
        });
}

/** Claims quota for all of them together. Throws QuotaExceeded. */
async function quotaOf(deps: Deps, joining: One[]) {
  const [first] = joining;
  if (!first) return [];
  const { tenant, input } = first;
  const { project } = input.metadata;
  const charge: Record<string, number> = {};
  for (const { built } of joining)
    for (const [dimension, count] of Object.entries(built.record?.charge ?? {}))
      charge[dimension] = (charge[dimension] ?? 0) + count;
  const metadata = { tenant, ...(project ? { project } : {}) };
  return claimQuota(deps, undefined, { metadata, charge }, () => "items");
}
