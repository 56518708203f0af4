import { load } from "../kernel/object/records.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import { dueFor } from "../ports/sweep-times.ts";
import { sweepHubOrphans, sweepSiteOrphans } from "./sweep-orphans.ts";

/** Sweeps the hubs and sites that are due, each by a worker of its zone. A failure of one must not block the others. */
export async function sweepPlaces(
  deps: StepDeps,
  inZone: (zone: "hub" | "site", work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const { kind, id } of await dueFor(deps, "orphans"))
    await inZone(kind, () => sweeps[kind](deps, id));
}

/** Sweeps a site for orphans, then imports its inventory. */
export async function sweepSite(deps: StepDeps, id: string): Promise<void> {
  await sweepSiteOrphans(deps, id);
  const site = await load(deps, "site", id);
  if (!site?.spec.inventory) return;
  // Loaded on demand: most sites have no inventory.
  const { importGuarded } = await import("./import-hosts.ts");
  await importGuarded(deps, id);
}

const sweeps = { hub: sweepHubOrphans, site: sweepSite };
