import { minutes } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import type { StepContext } from "../core/kernel/saga/context.ts";
import { backwards, phase, step } from "../core/kernel/saga/saga.ts";
import { secretReference } from "../core/ports/secrets/secrets.ts";
import type { Cluster } from "../core/resources/cluster/model.ts";
import { clusterCreate } from "./cluster-create.ts";

/** The undos of cluster-create in reverse order, so that each undo is written once. */
const undos = backwards(clusterCreate.nodes);

/** The place of an undo among them. Throws when there is no such. */
function placeOf(name: string): number {
  const place = undos.findIndex((undo) => undo.name === name);
  if (place < 0) throw new Error(`cluster-create has no ${name}`);
  return place;
}
const atSite = placeOf("Undo AllocateStorage");
const capacity = placeOf("Undo ReserveCapacity");

/** A deletion is one list of undos to people, who see its steps. Each of its states costs, so it has few. */
export const clusterDelete = saga<"cluster">("cluster-delete", {
  comment: "A cluster is deleted, and everything that it held is released",
  irreversible: true,
  nodes: [
    phase("ClearHub", ...undos.slice(0, atSite)),
    phase("ClearSite", ...undos.slice(atSite, capacity)),
    phase(
      "ReleaseAndArchive",
      ...undos.slice(capacity),
      step(
        "ArchiveCluster",
        { act: forgetSecrets, deadline: minutes(15) },
        { none: "nothing is left to go back to" },
      ),
    ),
  ],
});

/** Removes the secrets that came with the order or were made for it; the provider's own stay. */
async function forgetSecrets(
  { id, spec }: Cluster,
  { deps: { secrets } }: StepContext<Cluster>,
): Promise<void> {
  if (spec.pull_secret !== undefined) await secrets.remove(spec.pull_secret);
  await secrets.remove(secretReference.ingressCertificate(id));
}
