import { setImmediate } from "node:timers/promises";
import type { SitedKind } from "../../core/at-site/at-site.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { allocations } from "./books/allocations.ts";
import { attached } from "./books/attached.ts";
import { certificates } from "./books/certificates.ts";
import { type Check, wrongBy } from "./books/check.ts";
import { controllers } from "./books/controllers.ts";
import { dpus } from "./books/dpus.ts";
import { alerted, capacity, pool, regions, room, standby } from "./books/hosts.ts";
import { identities } from "./books/identities.ts";
import { kernelChecks } from "./books/kernel.ts";
import { machineTokens } from "./books/machines.ts";
import { inNetbox, numbers } from "./books/numbers.ts";
import { outside } from "./books/outside.ts";
import { others, places } from "./books/places.ts";
import { quotas } from "./books/quotas.ts";
import {
  outsidePrefixes,
  references,
  resourceClaims,
  revisions,
  subnetPrefixes,
} from "./books/resources.ts";
import { secrets } from "./books/secrets.ts";
import { servers } from "./books/servers.ts";
import type { SiteBooks } from "./books/site.ts";
import { Table } from "./books/table.ts";
import { timers } from "./books/timers.ts";
import { waysOut } from "./books/ways-out.ts";
import type { Laptop } from "./laptop.ts";

/** A deployment, with everything outside of it. */
interface Deployment {
  laptop: Pick<Laptop, "store" | "deps" | "drained">;
  world: SiteBooks["world"];
  /** What the secret store holds, by reference. */
  secrets: ReadonlyMap<string, string>;
}

const sitedKinds = [
  "cluster",
  "virtual_network",
  "subnet",
  "security_group",
  "external_ip_attachment",
  "nat_gateway",
  "baremetal_instance",
] as const satisfies SitedKind[];

/** The parts of the books of a site at rest. */
const checks: readonly Check<SiteBooks>[] = [
  ...kernelChecks(references),
  resourceClaims,
  controllers,
  identities,
  revisions,
  subnetPrefixes,
  outsidePrefixes,
  attached,
  waysOut,
  pool,
  alerted,
  standby,
  capacity,
  allocations,
  room,
  regions,
  numbers,
  inNetbox,
  quotas,
  places,
  secrets,
  certificates,
  machineTokens,
  timers,
  outside,
  servers,
  dpus,
  others,
];

/**
 * The books: every item of the table belongs to an object, every counter is a sum, every secret and
 * everything outside is somebody's. Answers what is wrong; an empty list is a clean slate.
 */
export async function wrongInBooks({ laptop, world, secrets }: Deployment): Promise<string[]> {
  // The reader of the stream begins in a turn of its own.
  await setImmediate();
  await laptop.drained();
  const { store, deps } = laptop;
  const table = new Table(store, kinds);
  return wrongBy(checks, {
    table,
    kinds,
    now: deps.clock.now(),
    wall: deps.wall.now(),
    clusters: table.objects("cluster"),
    placed: [...table.objects("cluster"), ...table.objects("baremetal_instance")],
    sited: sitedKinds.flatMap((kind) => table.objects(kind)),
    hosts: table.objects("host"),
    world,
    secrets: new Set(secrets.keys()),
  });
}
