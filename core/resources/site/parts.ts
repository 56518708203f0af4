import { timestamp } from "../../clock.ts";
import type { Progress, SitePart, SiteRecord } from "./at-site.ts";

/** How far a part of a site is, before it has a time. */
export type PartStatus = Pick<Progress, "state" | "message">;

export const donePart: PartStatus = { state: "done", message: "" };

/** The site with one part with this status; its time moves only when that is something new. */
export function withPart(
  site: SiteRecord,
  part: SitePart,
  status: PartStatus | "gone",
  now: number,
): SiteRecord {
  const { [part]: before, ...others } = site.parts;
  if (status === "gone") return { ...site, parts: others };
  const same = before?.state === status.state && before.message === status.message;
  const at = same ? before.at : timestamp(now);
  return { ...site, parts: { ...others, [part]: { ...status, at } } };
}
