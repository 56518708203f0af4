import { siteParts } from "../../at-site/at-site.ts";
import { cutLines } from "../../bounds.ts";
import type { Records } from "../../kernel/object/records.ts";
import type { Host } from "../../placement/pool/host.ts";
import { heldHosts } from "../../placement/reserve/release.ts";
import type { Cluster } from "./model.ts";

/** The last observations of a cluster whose saga fails, as a diagnosis. */
export async function diagnose(deps: Records, cluster: Cluster): Promise<string[]> {
  const held = await heldHosts(deps, cluster);
  return diagnosticsOf(
    cluster,
    held.map(({ host }) => host),
  );
}

/** The state of an agent whose host is a node. */
const joined = "added-to-existing-cluster";

/** One line for each aspect that is not healthy, in order from the infrastructure up. */
function diagnosticsOf({ site, observed }: Cluster, hosts: Host[]): string[] {
  const { control_plane: plane, node_pools, configuration, validation } = observed;
  const lines: string[] = [];
  for (const part of siteParts) {
    const { state = "done", message = "" } = site?.parts[part] ?? {};
    if (state !== "done") lines.push(`${part}: ${state}, ${message}`);
  }
  if (plane && (!plane.available || plane.degraded))
    lines.push(`control plane: ${plane.refusal ?? plane.message}`);
  for (const [name, { ready, gone, message }] of Object.entries(node_pools))
    if (!ready && !gone) lines.push(`node set ${name}: ${message}`);
  for (const { metadata, status } of hosts) {
    const { state = "unknown", message = "" } = status.agent ?? {};
    if (plane && state !== joined) lines.push(`host ${metadata.name}: ${state}, ${message}`);
  }
  if (configuration && configuration.state !== "done")
    lines.push(`configuration: ${configuration.message}`);
  if (validation && validation.state !== "done") lines.push(`validation: ${validation.message}`);
  return cutLines(lines);
}
