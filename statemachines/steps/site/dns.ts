import type { Deps } from "../../../core/deps.ts";
import { AppError } from "../../../core/error.ts";
import { domainKey } from "../../../core/kernel/object/keys.ts";
import {
  mustLoad,
  optimistically,
  putChanged,
  refuseFenced,
} from "../../../core/kernel/object/records.ts";
import { rewritten } from "../../../core/kernel/object/rewrite.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { absent, any, eq, type Write } from "../../../core/kernel/store/store.ts";
import { domainOf } from "../../../core/resources/cluster/domain.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { ownedDomain, recordsOf } from "../../../core/resources/cluster/owner.ts";
import { isDone } from "../../../core/site/parts.ts";
import { baseDomainOf } from "../cluster/deployment.ts";
import { type Here, note, siteOf } from "./site.ts";

/** `api`, `api-int` and `*.apps` under the name that is claimed for the cluster. */
export async function createDnsRecords(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const here = await siteOf(cluster, context);
  if (!here) return;
  const { dns } = here;
  const records = (domain: string) => recordsOf(here.own, domain);
  if (!dns || !records("any").length) return note("dns_records", isDone, context);
  const domain = await claimDomain(here, context);
  const owner = ownedDomain(cluster, domain);
  await context.guard();
  const change = await dns.ensure(owner, records(domain));
  const message = `the authority to answer for ${domain}`;
  await note("dns_records", { state: "pending", message }, context, (site) => ({
    ...site,
    ...(change === undefined ? {} : { dns_change: change }),
  }));
}

/** Asks the authority; makes the records again when some are not as they should be. */
export async function lookAtDnsRecords(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const here = await siteOf(cluster, context);
  const domain = here?.own.domain;
  if (!here?.dns || domain === undefined || here.own.parts.dns_records?.state === "done") return;
  const records = recordsOf(here.own, domain);
  const seen = await here.dns.observe(ownedDomain(cluster, domain), records, here.own.dns_change);
  if (seen.state === "missing") return createDnsRecords(cluster, context);
  const told =
    seen.state === "done" ? isDone : ({ state: "pending", message: seen.message } as const);
  await note("dns_records", told, context);
}

/** One order has a name at a time, whatever the base domains of hubs make of it. */
async function claimDomain({ cluster, own }: Here, context: StepContext<Cluster>): Promise<string> {
  if (own.domain !== undefined) return own.domain;
  const { deps } = context;
  const hub = await mustLoad(deps, "hub", cluster.placement?.hub ?? "");
  const domain = domainOf(cluster, baseDomainOf(hub));
  await optimistically(
    deps.store,
    async () => {
      const current = await mustLoad(deps, "cluster", cluster.id);
      const claim = await deps.store.get(domainKey(domain));
      if (claim && claim.owner !== cluster.id)
        throw new AppError("Rejected", `the name ${domain} is that of another cluster`);
      if (!current.site) return { writes: [], result: undefined };
      const after = { ...current, site: { ...current.site, domain } };
      const writes: Write[] = [
        ...context.fence(),
        putChanged(deps.kinds, rewritten(deps.kinds, current, after, deps.clock.now())),
        {
          put: { ...domainKey(domain), owner: cluster.id },
          if: any(absent, eq("owner", cluster.id)),
        },
      ];
      return { writes, result: undefined };
    },
    (refusal) => refuseFenced(refusal, context.fence()),
  );
  return domain;
}

export async function removeDnsRecords(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const here = await siteOf(cluster, context);
  const domain = here?.own.domain;
  if (here && domain !== undefined) {
    await here.dns?.remove(ownedDomain(cluster, domain));
    await giveUpDomain(cluster, domain, context.deps);
  }
  await note("dns_records", "gone", context, ({ dns_change: _, ...site }) => site);
}

async function giveUpDomain(cluster: Cluster, domain: string, deps: Deps): Promise<void> {
  await optimistically(deps.store, async () => {
    const current = await mustLoad(deps, "cluster", cluster.id);
    if (!current.site) return { writes: [], result: undefined };
    const { domain: _, ...site } = current.site;
    const writes: Write[] = [
      putChanged(
        deps.kinds,
        rewritten(deps.kinds, current, { ...current, site }, deps.clock.now()),
      ),
      { delete: domainKey(domain), if: any(absent, eq("owner", cluster.id)) },
    ];
    return { writes, result: undefined };
  });
}
