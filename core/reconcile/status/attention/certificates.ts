import { timestamp } from "../../../clock.ts";
import { type Ending, endingSoon, soonEnds } from "../../../ending.ts";
import { endsPartition, objectKey, unrenewedPartition } from "../../../kernel/object/keys.ts";
import type { AnyObject } from "../../../kernel/object/object.ts";
import type { ObjectOf } from "../../../kernel/object/object-of.ts";
import { objectIn } from "../../../kernel/object/records.ts";
import { certificateEnding } from "../../../resources/cluster/ingress-certificate.ts";
import type { Cluster } from "../../../resources/cluster/model.ts";
import { ofCredentials } from "../../../resources/hub/model.ts";
import { ofAuthority } from "../../../resources/site/certificates.ts";
import type { Attention } from "../schema.ts";
import { type AttentionDeps, firstObjects, readOfEach } from "./source.ts";

/** Site authorities and hub credentials that end soon, or have ended. */
export async function endingCertificates(deps: AttentionDeps): Promise<Attention[]> {
  const [sites, hubs] = await Promise.all([ending(deps, "site"), ending(deps, "hub")]);
  const now = deps.clock.now();
  return [
    ...sites.flatMap((site) =>
      ofEnd(site, site.status.authority_ends, now, {
        what: ofAuthority,
        command: "slipway site register FILE",
      }),
    ),
    ...hubs.flatMap((hub) =>
      ofEnd(hub, hub.spec.credentials_end, now, {
        what: ofCredentials,
        command: `slipway hub register --name ${hub.metadata.name} --kubeconfig FILE`,
      }),
    ),
  ];
}

/** Clusters whose ingress certificate was not renewed in time. */
export async function unrenewedCertificates({
  store,
  kinds,
  clock,
}: AttentionDeps): Promise<Attention[]> {
  const { items } = await store.query({ pk: unrenewedPartition, limit: readOfEach });
  const found = await store.getMany(items.map(({ sk }) => objectKey("cluster", sk)));
  const clusters = found.flatMap((item) => (item ? [objectIn<"cluster">(kinds, item)] : []));
  return clusters.flatMap((cluster) => ofUnrenewed(cluster, clock.now()));
}

function ofUnrenewed(cluster: Cluster, now: number): Attention[] {
  const ending = certificateEnding(cluster, now);
  if (!ending) return [];
  const { kind, id, metadata } = cluster;
  return [
    {
      ...{ reason: reasonOfEnd(ending), kind, id, name: metadata.name, tenant: metadata.tenant },
      ...{ message: ending.words, since: ending.since, command: `slipway cluster retry ${id}` },
    },
  ];
}

/** The objects of a kind whose certificate or credential ends within 30 days, or has ended. */
const ending = <K extends "site" | "hub">(deps: AttentionDeps, kind: K): Promise<ObjectOf[K][]> =>
  firstObjects<K>(deps, {
    ...{ index: "g3", pk: endsPartition(kind) },
    range: { to: `${timestamp(deps.clock.now() + soonEnds)}#~` },
  });

function ofEnd(
  { kind, id, metadata: { name, tenant } }: Pick<AnyObject, "kind" | "id" | "metadata">,
  ends: string | undefined,
  now: number,
  { what, command }: { what: string; command: string },
): Attention[] {
  const end = ends === undefined ? undefined : endingSoon(ends, now);
  if (!end) return [];
  const reason = reasonOfEnd(end);
  const message = `${what} ${end.words}`;
  return [{ reason, kind, id, name, tenant, message, since: end.since, command }];
}

const reasonOfEnd = ({ hasEnded }: Ending): Attention["reason"] =>
  hasEnded ? "CertificateEnded" : "CertificateEnds";
