import type { lookUpRelease } from "../release.ts";
import { isTrue } from "./conditions.ts";
import type { HubWorld } from "./hub.ts";
import { versionOf } from "./nodes.ts";
import { controlPlaneNamespace, type HostedCluster, type Machine, read } from "./objects.ts";

/** The upgrade of node pools: in place, machine by machine. */

export type Looked = ReturnType<typeof lookUpRelease>;

/** How many minor versions a node pool may be behind its control plane. */
const widest = 3;

/** HyperShift's refusal of this node pool release with this control plane, if any. */
export function skewOf({ status }: HostedCluster, release: Looked): string | undefined {
  const { desired, history = [] } = status?.version ?? {};
  const control = history.find(({ state }) => state === "Completed")?.version ?? desired?.version;
  if (control === undefined || !("version" in release)) return undefined;
  const { version } = release;
  const behind = minorOf(control) - minorOf(version);
  if (behind < 0)
    return `NodePool version ${version} cannot be higher than the HostedCluster version ${control}`;
  if (behind <= widest) return undefined;
  return `NodePool version ${version} is more than ${widest} minor versions behind the HostedCluster version ${control}`;
}

const minorOf = (version: string): number => Number(version.split(".")[1]);

/** Upgrades the machines one after another, each once the previous one is a healthy node again. */
export function updateInPlace(
  world: HubWorld,
  hosted: HostedCluster,
  live: Machine[],
  version: string,
): void {
  const others = live.filter(({ spec }) => spec.version !== version);
  const isUnderWay = live.some(
    (machine) => !others.includes(machine) && !isAt(world, hosted, machine, version),
  );
  // A machine that is not installed yet gets the new release.
  const fresh = others.filter(({ status }) => status?.nodeRef === undefined);
  const next = others.find(({ status }) => status?.nodeRef !== undefined);
  for (const { metadata } of next && !isUnderWay ? [...fresh, next] : fresh) {
    world.cluster.mutate("Machine", metadata.namespace, metadata.name, (object) => ({
      ...object,
      spec: { ...read<Machine>(object).spec, version },
    }));
  }
}

/** Whether a machine is a healthy node of this version. */
export function isAt(
  { hosted: clusters }: HubWorld,
  hosted: HostedCluster,
  { status }: Machine,
  version: string,
): boolean {
  const guest = clusters.get(controlPlaneNamespace(hosted));
  const node = status?.nodeRef?.name;
  if (!guest || node === undefined) return false;
  return isTrue(status?.conditions, "NodeHealthy") && versionOf(guest.cluster, node) === version;
}
