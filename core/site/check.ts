import * as z from "zod";
import type { Check } from "../check.ts";
import { AppError } from "../error.ts";
import { ask } from "../http.ts";
import { checkAuthority } from "../ports/certificates/check.ts";
import { askAuthority } from "../ports/dns/powerdns/authority.ts";
import type { SiteSecrets, SiteSpec } from "../resources/site/model.ts";
import { type SystemsOptions, systemsOf } from "./directory.ts";

type Spec = Omit<SiteSpec, "credentials">;

/** What has to hold, in words; answers what is lacking nevertheless. Throws where it cannot be asked. */
type Trial = [what: string, hold: () => Promise<string[] | undefined>];

/** An owner that nobody is: to be looked up, and found nowhere. */
const nobody = {
  kind: "cluster",
  id: "00000000-0000-7000-8000-000000000000",
  tenant: "nobody",
};

/**
 * Whether the systems of a site can be used: each answers, accepts our credentials and has what the
 * site names. Nothing is changed in them.
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
  const { fabric, dns, storage } = await systemsOf(spec, secret, options);
  const trials: Trial[] = [];
  if (fabric) {
    const network = spec.fabric?.external_network;
    trials.push([
      `fabric: accepts the credentials and has the network ${network}`,
      () => fabric.lacks(),
    ]);
  }
  if (dns && spec.dns) {
    const { zone } = spec.dns;
    trials.push([
      `dns: grants access to the zone ${zone}`,
      async () => void (await dns.observeAll(() => undefined)),
    ]);
    trials.push(...serverTrials(spec.dns, options));
  }
  if (storage)
    trials.push([
      `storage: grants access to the pool ${spec.storage?.pool}`,
      async () => void (await storage.observe(nobody)),
    ]);
  trials.push(...certificateTrials(spec, secret, options), ...loginTrials(spec, options));
  return Promise.all(trials.map(outcomeOf));
}

/** The servers of the zone, as the product asks them whether a record is out. */
function serverTrials(dns: NonNullable<Spec["dns"]>, { authority }: SystemsOptions): Trial[] {
  if (dns.provider !== "powerdns") return [];
  const asks = authority ?? askAuthority(dns.servers);
  const answers = async () => {
    try {
      await asks(dns.zone, "A");
      return undefined;
    } catch (error) {
      const message = `the zone's servers do not answer: ${error instanceof Error ? error.message : error}`;
      throw new AppError("Unavailable", message);
    }
  };
  return [[`dns: ${dns.servers.join(", ")} answer for ${dns.zone}`, answers]];
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
