import { timestamp } from "../../clock.ts";
import { failureText } from "../../kernel/object/lifecycle.ts";
import type { Operated } from "../../kernel/object/traits.ts";
import type { Progress, SitePart, SiteRecord } from "./at-site.ts";

/** The progress of a part of a site, without a time. */
export type PartStatus = Pick<Progress, "state" | "message">;

export const donePart: PartStatus = { state: "done", message: "" };

/** The site with this status of one part; the part's time moves only when the status differs. */
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

/** Why an object is stuck or failed, or what it waits for at its site; undefined for one in order. */
export function messageOf(object: Operated & { site?: SiteRecord }): string | undefined {
  const why = object.stuck ?? object.failure;
  if (why) return failureText(why);
  return Object.values(object.site?.parts ?? {}).find(({ state }) => state !== "done")?.message;
}
