import type { AtSite, SiteRecord } from "../../../core/at-site/at-site.ts";
import { donePart, withPart } from "../../../core/at-site/parts.ts";
import { AppError } from "../../../core/error.ts";
import { written } from "../../../core/kernel/events/rewrite.ts";
import { domainKey } from "../../../core/kernel/object/keys.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Placed } from "../../../core/kernel/object/traits.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { optimisticallyFenced } from "../../../core/kernel/store/optimistically.ts";
import { absent, any, eq, type Write } from "../../../core/kernel/store/store.ts";
import type { OwnedDomain, RecordSet } from "../../../core/ports/dns/dns.ts";
import type { Hub } from "../../../core/resources/hub/model.ts";
import { note, type SiteContext, siteOf } from "./site.ts";

/** The names that a kind has at its site. */
export interface Names<T> {
  /** The domain of a target on this hub. */
  domainOf(target: T, hub: Hub): string;
  /** A claimed domain, with the names in it that may have records. */
  owned(target: T, domain: string): OwnedDomain;
  /** The records; none without addresses. */
  recordsOf(site: SiteRecord, domain: string): RecordSet[];
}

/** Creates the records under the target's claimed domain. */
export const createDnsRecords =
  <T extends AtSite & Placed>(names: Names<T>) =>
  async (target: T, context: StepContext<T>): Promise<void> => {
    const here = await siteOf(target, context);
    if (!here) return;
    const { dns } = here;
    const records = (domain: string) => names.recordsOf(here.record, domain);
    if (!dns || !records("any").length) return note("dns_records", donePart, context);
    const domain = here.record.domain ?? (await claimDomain(names, target, context));
    const change = await dns.ensure(names.owned(target, domain), records(domain));
    await note("dns_records", asked(domain), context, (site) => ({
      ...site,
      ...(change === undefined ? {} : { dns_change: change }),
    }));
  };

const asked = (domain: string) =>
  ({ state: "pending", message: `the authority to answer for ${domain}` }) as const;

/** Checks the records at the DNS server, and creates missing or wrong ones again. */
export const lookAtDnsRecords =
  <T extends AtSite & Placed>(names: Names<T>) =>
  async (target: T, context: StepContext<T>): Promise<void> => {
    const here = await siteOf(target, context);
    const { domain, dns_change, parts } = here?.record ?? {};
    if (!here?.dns || domain === undefined || parts?.dns_records?.state === "done") return;
    const records = names.recordsOf(here.record, domain);
    const seen = await here.dns.observe(names.owned(target, domain), records, dns_change);
    if (seen.state === "missing") return createDnsRecords(names)(target, context);
    const status =
      seen.state === "done" ? donePart : ({ state: "pending", message: seen.message } as const);
    await note("dns_records", status, context);
  };

/**
 * Claims a domain for one target, even where hubs share a base domain. The same write records what the records wait
 * for.
 */
async function claimDomain<T extends AtSite & Placed>(
  names: Names<T>,
  target: T,
  { deps, fence }: StepContext<T>,
): Promise<string> {
  const { kind, id, placement } = target;
  const hub = await mustLoad(deps, "hub", placement?.hub ?? "");
  const domain = names.domainOf(target, hub);
  await optimisticallyFenced(deps.store, fence(), async () => {
    const current = await mustLoad(deps, kind, id);
    const claim = await deps.store.get(domainKey(domain));
    if (claim && claim.owner !== id)
      throw new AppError("Rejected", `another ${kind} has the name ${domain}`);
    if (!current.site) return { writes: [], result: undefined };
    const now = deps.clock.now();
    const site = withPart({ ...current.site, domain }, "dns_records", asked(domain), now);
    const writes: Write[] = [
      ...written(deps, current, { ...current, site }).writes,
      { put: { ...domainKey(domain), owner: id }, if: any(absent, eq("owner", id)) },
    ];
    return { writes, result: undefined };
  });
  return domain;
}

export const removeDnsRecords =
  <T extends AtSite & Placed>(names: Names<T>) =>
  async (target: T, context: StepContext<T>): Promise<void> => {
    const here = await siteOf(target, context);
    const domain = here?.record.domain;
    if (here && domain !== undefined) {
      await here.dns?.remove(names.owned(target, domain));
      await giveUpDomain(here, domain, context);
    }
    await note("dns_records", "gone", context, ({ dns_change: _, ...site }) => site);
  };

/** Releases a domain whose records are removed. */
async function giveUpDomain(
  { target }: SiteContext,
  domain: string,
  { deps, fence }: StepContext<AtSite>,
): Promise<void> {
  const { kind, id } = target;
  await optimisticallyFenced(deps.store, fence(), async () => {
    const current = await mustLoad(deps, kind, id);
    if (!current.site) return { writes: [], result: undefined };
    const now = deps.clock.now();
    const { domain: _, dns_change: __, ...rest } = current.site;
    const site = withPart(rest, "dns_records", "gone", now);
    const writes: Write[] = [
      ...written(deps, current, { ...current, site }).writes,
      { delete: domainKey(domain), if: any(absent, eq("owner", id)) },
    ];
    return { writes, result: undefined };
  });
}
