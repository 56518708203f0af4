import * as z from "zod";
import { AppError } from "../../../../error.ts";
import type { HubApi } from "../../../kubernetes/api.ts";
import type { KubeObject, ObjectName } from "../../../kubernetes/kube-object.ts";
import type { Release } from "../port.ts";

/** The release of a HostedCluster or a NodePool: no other member is read or written. */

const specSchema = z.object({ release: z.object({ image: z.string() }) });

export const releaseImageOf = ({ spec }: KubeObject): string | undefined =>
  specSchema.safeParse(spec).data?.release.image;

export async function setRelease(api: HubApi, name: ObjectName, image: string): Promise<void> {
  await api.change(name, (object) => {
    if (!object) throw new AppError("Rejected", `${name.kind} ${name.metadata.name} is gone`);
    return releaseImageOf(object) === image ? undefined : { spec: { release: { image } } };
  });
}

/**
 * Restores the previous release unless the operator has begun to roll out the new one; answers whether it is
 * restored.
 */
export async function withdrawRelease(
  api: HubApi,
  name: ObjectName,
  from: Release,
  to: Release,
): Promise<boolean> {
  let isBack = true;
  await api.change(name, (object) => {
    isBack = !hasBegun(object, to);
    if (!object || !isBack || releaseImageOf(object) === from.image) return undefined;
    return { spec: { release: { image: from.image } } };
  });
  return isBack;
}

const statusSchema = z.object({
  version: z.object({
    history: z.array(z.object({ image: z.string().optional(), version: z.string().optional() })),
  }),
});

/** Whether a HostedCluster is rolling out this release, or has done so. */
function hasBegun(object: KubeObject | undefined, { image, version }: Release): boolean {
  const { data } = statusSchema.safeParse(object?.status);
  const history = data?.version.history ?? [];
  return history.some((entry) => entry.image === image || entry.version === version);
}
