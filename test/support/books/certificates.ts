import { unrenewedPartition } from "../../../core/kernel/object/keys.ts";
import type { Check } from "./check.ts";
import type { SiteBooks } from "./site.ts";

/** Clusters are listed whose ingress has a certificate that was not renewed in time, and no others; each has a time for the next renewal. */
export const certificates: Check<SiteBooks> = {
  of: [unrenewedPartition],
  wrong({ table, clusters }) {
    const listed = new Set(table.items(unrenewedPartition).map(({ sk }) => sk));
    const wanted = clusters.filter(({ ingress_certificate: one }) => one?.unrenewed !== undefined);
    const ids = new Set<string>(wanted.map(({ id }) => id));
    return [
      ...[...listed]
        .filter((id) => !ids.has(id))
        .map((id) => `cluster ${id} is listed, and its certificate was renewed`),
      ...[...ids]
        .filter((id) => !listed.has(id))
        .map((id) => `cluster ${id} is not listed, and its certificate was not renewed`),
      ...clusters
        .filter(({ published, operation, ingress_certificate: one }) => {
          return published && operation === undefined && one && one.renew_at === undefined;
        })
        .map(({ id }) => `nobody will renew the certificate of cluster ${id}`),
    ];
  },
};
