import { bounds, cut } from "../bounds.ts";
import { timestamp } from "../clock.ts";
import { failureText } from "../kernel/object/lifecycle.ts";
import type { Operated } from "../kernel/object/traits.ts";
import type { AtSite, PlaceRecord, Progress, SitePart } from "./at-site.ts";

/** The progress of a part at a site, without a time. */
export type PartStatus = Pick<Progress, "state" | "message">;

export const donePart: PartStatus = { state: "done", message: "" };

/** Where an object's outside parts are: its site or its hub; undefined if it has neither. */
export const placeRecord = ({ site, hub }: Pick<AtSite, "site" | "hub">): PlaceRecord | undefined =>
  site ?? hub;

/** The place with a new status of one part; the time changes only if the status does. */
export function withPart<P extends PlaceRecord>(
  place: P,
  part: SitePart,
  status: PartStatus | "gone",
  now: number,
): P {
  const { [part]: before, ...others } = place.parts;
  if (status === "gone") return { ...place, parts: others };
  const message = cut(status.message, bounds.reason);
  const same = before?.state === status.state && before.message === message;
  const at = same ? before.at : timestamp(now);
  return { ...place, parts: { ...others, [part]: { state: status.state, message, at } } };
}

/** The reason why an object failed, is stuck, or waits for an outside system; undefined for none. */
export function messageOf(object: Operated & Pick<AtSite, "site" | "hub">): string | undefined {
  const why = object.stuck ?? object.failure;
  if (why) return failureText(why);
  return Object.values(placeRecord(object)?.parts ?? {}).find(({ state }) => state !== "done")
    ?.message;
}
