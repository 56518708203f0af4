import type { StorageOwner } from "../storage.ts";

/**
 * The name of an order's namespace and user. A namespace has nothing else that could say whose it
 * is; the cluster's id in it makes it one that nobody else would choose.
 */
export const cephName = ({ tenant, cluster }: StorageOwner): string =>
  `slipway-${tenant}-${cluster}`;

/** Whom a name names; undefined for a name that is not one of ours. */
export function parseCephName(name: string): { tenant: string; cluster: string } | undefined {
  const found = /^slipway-(.+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(name);
  return found?.[1] && found[2] ? { tenant: found[1], cluster: found[2] } : undefined;
}
