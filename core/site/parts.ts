import { timestamp } from "../clock.ts";
import type { ClusterSite, SitePart } from "../resources/cluster/cluster-site.ts";
import type { Progress } from "../resources/cluster/model.ts";

/** How far a part of a cluster's site is, before it has a time. */
export type Told = Pick<Progress, "state" | "message">;

export const isDone: Told = { state: "done", message: "" };

/** The site with one part as it was told; its time moves only when that is something new. */
export function withPart(
  site: ClusterSite,
  part: SitePart,
  told: Told | "gone",
  now: number,
): ClusterSite {
  const { [part]: before, ...others } = site.parts;
  if (told === "gone") return { ...site, parts: others };
  const same = before?.state === told.state && before.message === told.message;
  const at = same ? before.at : timestamp(now);
  return { ...site, parts: { ...others, [part]: { ...told, at } } };
}
