import * as z from "zod";
import {
  adapterOf,
  allocators,
  bareMetalServices,
  dhcpServers,
  dnsServices,
  fabrics,
  inventories,
  type SystemsOptions,
  storages,
  type Trial,
} from "../../at-site/adapters.ts";
import { systemsOf } from "../../at-site/directory.ts";
import { poolsOf } from "../../at-site/pools.ts";
import type { SiteSecrets, SiteSpec } from "../../at-site/site.ts";
import type { Check } from "../../check.ts";
import { AppError } from "../../error.ts";
import { ask } from "../../http.ts";
import { checkAuthority } from "../../ports/certificates/check.ts";

type Spec = Omit<SiteSpec, "credentials">;

/** An owner that does not exist: checks search for it, and expect to find nothing. */
const nobody = {
  kind: "cluster",
  id: "00000000-0000-7000-8000-000000000000",
  tenant: "nobody",
};

/**
 * Checks the systems of a site: each has to answer, accept Slipway's credentials, and have the
 * objects that the site names. Changes nothing in them.
 */
export async function checkSite(
  spec: Spec,
  secrets: SiteSecrets,
  options: SystemsOptions,
): Promise<Check[]> {
  const secret = async (part: keyof SiteSecrets) => {
    const value = secrets[part];
    if (value === undefined) throw new AppError("Invalid", `spec.secrets.${part} is not given`);
    return value;
  };
  const systems = await systemsOf(spec, secret, options);
  const { fabric, dhcp, allocator, inventory, bareMetal, dns, storage } = systems;
  const trials: Trial[] = [];
  if (fabric && spec.fabric) {
    const part = adapterOf(fabrics, spec.fabric).part(spec.fabric);
    trials.push([`fabric: accepts the credentials and has ${part}`, () => fabric.lacks()]);
  }
  if (dhcp && spec.dhcp) {
    const part = adapterOf(dhcpServers, spec.dhcp).part(spec.dhcp);
    trials.push([`dhcp: accepts the credentials and has ${part}`, () => dhcp.lacks()]);
  }
  const { network } = spec;
  if (allocator && spec.allocator && network) {
    const part = adapterOf(allocators, spec.allocator).part(spec.allocator);
    trials.push([
      spec.allocator.given_out_by === "netbox"
        ? `allocator: ${part} gives out the numbers of network`
        : `allocator: ${part} can have the numbers of network`,
      () => allocator.lacks(poolsOf({ id: "" }, network), network),
    ]);
  }
  if (inventory && spec.inventory) {
    const part = adapterOf(inventories, spec.inventory).part(spec.inventory);
    trials.push([`inventory: ${part} has servers`, () => inventory.lacks()]);
  }
  if (bareMetal && spec.bare_metal) {
    const part = adapterOf(bareMetalServices, spec.bare_metal).part(spec.bare_metal);
    trials.push([`bare_metal: accepts the credentials and shows ${part}`, () => bareMetal.lacks()]);
  }
  if (dns && spec.dns) {
    const adapter = adapterOf(dnsServices, spec.dns);
    trials.push([
      `dns: grants access to ${adapter.part(spec.dns)}`,
      async () => void (await dns.observeAll(() => undefined)),
    ]);
    trials.push(...(adapter.trials?.(spec.dns, options) ?? []));
  }
  if (storage && spec.storage) {
    const part = adapterOf(storages, spec.storage).part(spec.storage);
    trials.push([
      `storage: grants access to ${part}`,
      async () => void (await storage.observe(nobody)),
    ]);
  }
  trials.push(...certificateTrials(spec, secret, options), ...loginTrials(spec, options));
  return Promise.all(trials.map(outcomeOf));
}

function certificateTrials(
  { certificates }: Spec,
  secret: (part: "certificates") => Promise<string>,
  { wall }: SystemsOptions,
): Trial[] {
  if (!certificates) return [];
  const signs = async () => {
    const authority = { certificate: certificates.authority, key: await secret("certificates") };
    checkAuthority(authority, wall.now());
    return undefined;
  };
  return [["certificates: the authority can sign", signs]];
}

const discoverySchema = z.object({ issuer: z.string() });

function loginTrials({ identity_provider: identity }: Spec, options: SystemsOptions): Trial[] {
  if (!identity) return [];
  const { wall, fetch } = options;
  const answers = async () => {
    const url = identity.issuer.replace(/\/+$/, "");
    const http = { system: "the issuer", url, wall, timeout: 10_000, ...(fetch && { fetch }) };
    const reply = await ask(http, { method: "GET", path: "/.well-known/openid-configuration" });
    const found = discoverySchema.safeParse(reply.json).data?.issuer;
    return found === identity.issuer ? undefined : [`a discovery document of ${identity.issuer}`];
  };
  return [[`identity_provider: ${identity.issuer} answers`, answers]];
}

async function outcomeOf([what, hold]: Trial): Promise<Check> {
  try {
    const lacking = (await hold()) ?? [];
    if (lacking.length === 0) return { what, outcome: "ok" };
    return { what: `${what}: there is no ${lacking.join(", no ")}`, outcome: "missing" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { what: `${what}: ${error.message}`, outcome: "missing" };
  }
}
