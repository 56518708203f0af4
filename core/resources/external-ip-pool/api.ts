import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { classesAt, overlayClasses, refuseOverlapping } from "../../at-site/networks-in-the-way.ts";
import {
  claimPrefixes,
  outsidePrefixesAt,
  refuseOwn,
  refuseTakenPrefixes,
  releasePrefixes,
} from "../../at-site/outside-prefixes.ts";
import { ownOfMachines, ownPrefixes } from "../../at-site/own-prefixes.ts";
import { sitesOf } from "../../at-site/registered.ts";
import type { Site } from "../../at-site/site.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { referenceTo } from "../../kernel/request/resolve.ts";
import { eq, type Write } from "../../kernel/store/store.ts";
import { isLowWith } from "../../ports/ipam/low-mark.ts";
import { ownIpam } from "../../ports/ipam/own/own.ts";
import { type ExternalIpPoolSpec, externalIpPoolSettingsSchema } from "./model.ts";
import { numbersOfPool, totalOf } from "./numbers.ts";
import { refuseFaulty } from "./prefixes.ts";
import { countsOf } from "./usage.ts";
import { externalIpPoolSchema, poolStrategies, strategyOf } from "./wire.ts";

const schema = inputSchema(
  z.strictObject({
    ...externalIpPoolSettingsSchema.shape,
    site: referenceInputSchema
      .optional()
      .describe("The site whose outside network has the addresses."),
    implementation_strategy: z
      .enum(poolStrategies)
      .optional()
      .describe("Follows from `site`; another one is refused."),
  }),
);
type Input = z.output<typeof schema>;
type Asked = Request<"external_ip_pool", Input>;

const rules: Definition<"external_ip_pool", Input> = {
  kind: "external_ip_pool",
  schema,
  tenant: "shared",
  async build(request) {
    const { input, before, violations } = request;
    const { site: named, implementation_strategy: strategy, ...settings } = input.spec;
    const site =
      named === undefined
        ? undefined
        : await request.references.resolve("spec.site", "site", named);
    if (site && !site.spec.fabric)
      violations.push({ field: "spec.site", message: `site '${site.id}' has no fabric` });
    const spec: ExternalIpPoolSpec = { ...settings, ...(site && { site: referenceTo(site) }) };
    refuseFaulty(spec, violations);
    const own = strategyOf(before ?? { spec });
    if (strategy !== undefined && strategy !== own && (site || named === undefined))
      violations.push({
        field: "spec.implementation_strategy",
        message: `is '${own}' for a pool ${site ? "at a site" : "without a site"}`,
      });
    if (site && spec.ip_family === "IP_FAMILY_IPV6")
      violations.push({
        field: "spec.ip_family",
        message: `the fabric of site '${site.id}' has outside addresses of IPv4 alone`,
      });
    const total = totalOf(spec.cidrs);
    const status = {
      state: "EXTERNAL_IP_POOL_STATE_READY",
      low: isLowWith(total, total, spec.low_mark),
    } as const;
    const moved = await refuseOther(request, spec);
    // If the named site does not exist, there is no place to check the prefixes at.
    const isLost = named !== undefined && !site;
    const claimed = isLost ? [] : await prefixWrites(request, spec, site);
    if (isDeepStrictEqual(before?.spec.cidrs, spec.cidrs)) return { spec, status };
    return { spec, status, writes: [...moved, ...claimed] };
  },
  live: {
    members: ["total", "allocated", "resting", "available"],
    read: async (deps, _, found) =>
      Promise.all((await found).map(async (pool) => ({ ...(await countsOf(deps, pool)) }))),
  },
  remove: async (_, { id, spec }) => [releasePrefixes(spec.site?.id, id)],
};

/**
 * The writes that reserve the prefixes at the site; adds a violation for each one that overlaps with another pool or
 * with the site's own addresses.
 */
async function prefixWrites(
  { deps, id, before, violations }: Asked,
  { cidrs }: ExternalIpPoolSpec,
  site: Site | undefined,
): Promise<Write[]> {
  const had = before?.spec.cidrs ?? [];
  const wanted = cidrs.flatMap((cidr, n) =>
    had.includes(cidr) ? [] : [{ field: `spec.cidrs[${n}]`, cidrs: [cidr] }],
  );
  const [taken, sites, classes] = await Promise.all([
    outsidePrefixesAt(deps.store, site?.id),
    site ? [] : sitesOf(deps),
    wanted.length === 0 ? [] : site ? classesAt(deps, site.id) : overlayClasses(deps),
  ]);
  const refuse = (message: string, n: number) =>
    violations.push({ field: `spec.cidrs[${n}]`, message });
  refuseTakenPrefixes(taken, cidrs, refuse, id);
  if (site) refuseOwn(ownPrefixes(site.spec), "the site", cidrs, refuse);
  for (const each of sites)
    refuseOwn(ownPrefixes(each.spec, ownOfMachines), `site '${each.id}'`, cidrs, refuse);
  await refuseOverlapping(deps, classes, wanted, violations);
  return [
    claimPrefixes(taken, id, cidrs, violations),
    // Checks that the site's own addresses have not changed since they were read.
    ...(site ? [{ check: objectKey("site", site.id), if: eq("revision", site.revision) }] : []),
  ];
}

/**
 * The writes for changed prefixes of a pool that never gave out an address. Refuses changes that would change the
 * meaning of addresses that somebody has.
 */
async function refuseOther(
  { deps, before, violations }: Asked,
  after: ExternalIpPoolSpec,
): Promise<Write[]> {
  if (!before) return [];
  const had = before.spec;
  const refuse = (field: string, message: string) => violations.push({ field, message });
  for (const field of ["ip_family", "site"] as const)
    if (!isDeepStrictEqual(had[field], after[field]))
      refuse(`spec.${field}`, `field 'spec.${field}' is immutable`);
  if (isDeepStrictEqual(had.cidrs, after.cidrs)) return [];
  const ipam = ownIpam(deps);
  const numbers = numbersOfPool(before);
  if (!(await ipam.wasUsed(numbers))) return ipam.redefine(numbers);
  if (!isDeepStrictEqual(after.cidrs.slice(0, had.cidrs.length), had.cidrs))
    refuse("spec.cidrs", "can only be extended at its end, because addresses of it were allocated");
  return [];
}

export const api = { schema: externalIpPoolSchema, rules } satisfies ApiOf<"external_ip_pool">;
