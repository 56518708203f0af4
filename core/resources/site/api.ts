import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { classesAt, overlayClasses, refuseOverlapping } from "../../at-site/networks-in-the-way.ts";
import {
  noPoolSince,
  outsidePrefixesAt,
  refuseTakenPrefixes,
} from "../../at-site/outside-prefixes.ts";
import { addedTo, type Own, ownOfMachines, twiceIn } from "../../at-site/own-prefixes.ts";
import { knownNumbersOf, poolOf } from "../../at-site/pools.ts";
import { systemsReached } from "../../at-site/reach.ts";
import {
  poolUses,
  type Site,
  type SiteSecrets,
  type SiteSpec,
  secretParts,
  siteSecretsSchema,
  withoutSecret,
} from "../../at-site/site.ts";
import { isKind, type Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { neverAnswered } from "../../kernel/input/text.ts";
import { siteReachKey } from "../../kernel/object/hub-keys.ts";
import { outsidePrefixesKey } from "../../kernel/object/keys.ts";
import { masked } from "../../kernel/object/wire.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import type { Write } from "../../kernel/store/store.ts";
import { checkAuthority } from "../../ports/certificates/check.ts";
import type { SecretDeps } from "../../ports/secrets/secrets.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import { neverSwept, sweptFrom } from "../../ports/sweep-times.ts";
import { authorityEnds, ofAuthority, ofEnding } from "./certificates.ts";
import { siteSpecSchema } from "./model.ts";
import { poolsWithTrends } from "./pool-usage.ts";
import { siteSchema } from "./wire.ts";

/**
 * The API of sites, by which administrators register systems and pools; the systems' secrets go to the secret store.
 */

const authorityValid = "SITE_CONDITION_TYPE_AUTHORITY_VALID";

const secret = z.string().min(1).max(16_384).optional();

const schema = inputSchema(
  z.strictObject({
    ...siteSpecSchema.shape,
    secrets: z
      .strictObject({
        fabric: secret.describe("Secret of the application credential."),
        allocator: secret.describe(
          "Token of NetBox that may write VLANs, prefixes and IP addresses.",
        ),
        inventory: secret.describe("Token of NetBox that may view DCIM and the change log."),
        dhcp: secret.describe("Password of the user."),
        bare_metal: secret.describe("Password of the user, or secret of the credential."),
        dns: secret.describe("Key of the HTTP API; Route 53 needs none."),
        storage: secret.describe("Password of the user."),
        certificates: secret.describe("The authority's private key, in PEM."),
        identity_provider: secret.describe("Secret of the client."),
      } satisfies Record<(typeof secretParts)[number], z.ZodType>)
      .optional()
      .describe("The credentials for Slipway's logins and signatures. Never answered.")
      .meta(neverAnswered),
  }),
);
type Input = z.output<typeof schema>;

export const sites: Definition<"site", Input, SecretDeps> = {
  kind: "site",
  schema,
  tenant: "shared",
  async build(request) {
    const { deps, id, input, before, violations } = request;
    const { secrets: given = {}, ...spec } = input.spec;
    refuseHalf(spec, violations);
    refuseTwice(spec, violations);
    const added = addedTo(before?.spec, spec);
    const [apart] = await Promise.all([
      apartFromPools(deps, id, added, violations),
      apartFromNetworks(deps, before?.id, added, violations),
    ]);
    const writes = before
      ? [...(await moves(deps, before, spec, violations)), ...apart]
      : [...apart, sweptFrom("orphans", { kind: "site", id }, deps.clock.now())];
    const stored = before ? await secretsOf(deps, before) : {};
    const secrets = merged(stored, given);
    for (const part of secretParts) {
      if (needsSecret(spec[part]) && secrets[part] === undefined)
        violations.push({ field: `spec.secrets.${part}`, message: "is required" });
    }
    refuseAuthority(
      spec.certificates?.authority,
      secrets.certificates,
      deps.wall.now(),
      violations,
    );
    const unchanged = before && Object.keys(given).length === 0;
    const credentials = unchanged
      ? before.spec.credentials
      : `${secretReference.siteCredentials(id)}/${deps.newId()}`;
    return {
      spec: { ...spec, credentials },
      status: { low: [] },
      writes,
      ...(unchanged ? {} : { secret: { reference: credentials, value: JSON.stringify(secrets) } }),
    };
  },
  live: {
    members: ["pools", "systems", "conditions"],
    read: async (deps, _, found) => {
      const sites = await found;
      const [reached, pools] = await Promise.all([
        systemsReached(deps, sites),
        Promise.all(sites.map((site) => poolsWithTrends(deps, site))),
      ]);
      const now = deps.clock.now();
      return sites.map(({ spec }, n) => ({
        // Computed from the certificates, because the record of an old site has no end of them until its next sweep.
        ...ofEnding(authorityValid, authorityEnds(spec).authority_ends, now, ofAuthority),
        ...(pools[n] && { pools: pools[n] }),
        ...(reached[n] && { systems: reached[n] }),
      }));
    },
  },
  remove: async (_, site) => [
    neverSwept("orphans", site),
    { delete: outsidePrefixesKey(site.id) },
    { delete: siteReachKey(site.id) },
  ],
  secrets: (site) => [site.spec.credentials],
};

const needsSecret = (system: object | undefined): boolean =>
  system !== undefined && !("provider" in system && withoutSecret.has(String(system.provider)));

const merged = (
  stored: SiteSecrets,
  given: NonNullable<Input["spec"]["secrets"]>,
): SiteSecrets => ({
  ...stored,
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== masked)),
});

function refuseAuthority(
  certificate: string | undefined,
  key: string | undefined,
  now: number,
  violations: Violation[],
): void {
  if (certificate === undefined || key === undefined) return;
  try {
    checkAuthority({ certificate, key }, now);
  } catch (error) {
    if (!isKind(error, "Invalid")) throw error;
    violations.push({ field: "spec.certificates.authority", message: error.message });
  }
}

function refuseHalf(spec: Omit<Input["spec"], "secrets">, violations: Violation[]): void {
  if (spec.fabric && !spec.network)
    violations.push({ field: "spec.network", message: "is required with a fabric" });
  if (spec.dhcp && !spec.fabric)
    violations.push({ field: "spec.fabric", message: "is required with dhcp" });
  if (spec.network && !spec.fabric)
    violations.push({ field: "spec.fabric", message: "is required with network" });
  if (spec.allocator && !spec.network)
    violations.push({ field: "spec.network", message: "is required with an allocator" });
}

/**
 * The writes for changes of pools that were never used. Refuses changes of the meaning of numbers that orders hold:
 * once a pool has given out a number, it can only grow.
 */
async function moves(
  deps: Deps,
  site: Site,
  { network, allocator, dhcp }: Pick<Input["spec"], "network" | "allocator" | "dhcp">,
  violations: Violation[],
): Promise<Write[]> {
  const had = site.spec.network;
  const numbers = knownNumbersOf(deps, site);
  if (!had || !numbers) return [];
  const isMoved = !isSameBook(site.spec.allocator, allocator);
  const writes: Write[] = [];
  // Existing networks keep the source of their addresses: the DHCP server or the fabric.
  if (!dhcp !== !site.spec.dhcp && (await numbers.wasUsed(numbers.pools.prefixes)))
    violations.push({
      field: "spec.dhcp",
      message: "cannot be added or removed, because orders have used the site's prefixes",
    });
  for (const use of poolUses) {
    if (isDeepStrictEqual(network?.[use], had[use]) && !isMoved) continue;
    const pool = numbers.pools[use];
    if (!(await numbers.wasUsed(pool))) {
      writes.push(...(await numbers.redefine(pool)));
      continue;
    }
    if (isMoved) {
      const field = "spec.allocator";
      violations.push({ field, message: "cannot be changed, because orders have used it" });
      return [];
    }
    const next = network && poolOf(site, network, use);
    const same = use !== "prefixes" || network?.prefixes.length === had.prefixes.length;
    const field = `spec.network.${use}`;
    if (!next || next.first !== pool.first || next.size < pool.size || !same)
      violations.push({
        field,
        message: "can only be extended at its end, because orders have used it",
      });
    else if (use === "prefixes" && network?.prefixes.cidr !== had.prefixes.cidr)
      violations.push({ field, message: "cannot be changed, because orders have used it" });
  }
  return writes;
}

/** Refuses addresses with two meanings at a site. */
function refuseTwice(spec: Pick<SiteSpec, "network" | "machines">, violations: Violation[]): void {
  for (const { own, other } of twiceIn(spec)) {
    // The schema has refused this overlap.
    if (other.member === "network.floating_ips" && own.member === "network.prefixes.cidr") continue;
    violations.push({
      field: `spec.${own.member}`,
      message: `${own.what} overlaps ${other.what}: an address would have two meanings`,
      beside: [`spec.${other.member}`],
    });
  }
}

/**
 * The writes that keep a site's addresses separate from the addresses of external IP pools; adds a
 * violation for each overlap.
 */
async function apartFromPools(
  { store }: Deps,
  site: string,
  added: readonly Own[],
  violations: Violation[],
): Promise<Write[]> {
  // DPUs anywhere announce the addresses of pools without a site.
  const ofMachines = machinesOf(added);
  const [at, anywhere] = await Promise.all([
    added.length > 0 ? outsidePrefixesAt(store, site) : undefined,
    ofMachines.length > 0 ? outsidePrefixesAt(store, undefined) : undefined,
  ]);
  for (const [pools, owns] of [
    [at, added],
    [anywhere, ofMachines],
  ] as const)
    for (const { member, cidrs } of pools ? owns : [])
      if (pools)
        refuseTakenPrefixes(pools, cidrs, (message) =>
          violations.push({ field: `spec.${member}`, message }),
        );
  return [at, anywhere].flatMap((pools) => (pools ? [noPoolSince(pools)] : []));
}

const machinesOf = (added: readonly Own[]): Own[] =>
  added.filter(({ member }) => ownOfMachines.some((each) => each === member));

/**
 * Adds a violation for each address that a tenant's network has, or can get. An order at the same time may still be
 * accepted: its network is then listed among the invalid objects.
 */
async function apartFromNetworks(
  deps: Deps,
  site: string | undefined,
  added: readonly Own[],
  violations: Violation[],
): Promise<void> {
  const wanted = (owns: readonly Own[]) =>
    owns.map(({ member, cidrs }) => ({ field: `spec.${member}`, cidrs }));
  const ofMachines = machinesOf(added);
  const [here, overlays] = await Promise.all([
    site !== undefined && added.length > 0 ? classesAt(deps, site) : [],
    ofMachines.length > 0 ? overlayClasses(deps) : [],
  ]);
  await refuseOverlapping(deps, here, wanted(added), violations);
  await refuseOverlapping(deps, overlays, wanted(ofMachines), violations);
}

/** Whether the numbers are recorded in the same place; the URL of the system may change. */
function isSameBook(had: SiteSpec["allocator"], has: SiteSpec["allocator"]): boolean {
  const books = [had, has].map((each) => each && { ...each, url: "" });
  return isDeepStrictEqual(books[0], books[1]);
}

async function secretsOf({ secrets }: Request<"site", Input, SecretDeps>["deps"], { spec }: Site) {
  const text = await secrets.get(spec.credentials);
  return text === undefined ? {} : siteSecretsSchema.parse(JSON.parse(text));
}

export const api = { schema: siteSchema, rules: sites } satisfies ApiOf<"site">;
