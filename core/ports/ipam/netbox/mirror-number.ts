import { AppError } from "../../../error.ts";
import type { TaggedObject } from "./custom-fields.ts";
import type { NetboxObject } from "./object-type.ts";
import type { PoolObjects, ShownUse } from "./pool-objects.ts";

/** How often NetBox is asked for what was just written into it. */
const tries = 5;

export interface MirrorConditions {
  /**
   * The names under which the number may be ours in NetBox: what bears another one, or none, is somebody
   * else's, and is left as it is.
   */
  names: ReadonlySet<string>;
  /** Asked before each write; throws where it may not be. */
  mayWrite(): Promise<void>;
}

/** Has NetBox show a number as `shown` says. Answers what somebody else has there, where it is in the way. */
export async function mirrorNumber(
  objects: PoolObjects,
  number: number,
  shown: ShownUse,
  { names, mayWrite }: MirrorConditions,
): Promise<NetboxObject | undefined> {
  const removed = async (object: TaggedObject) => {
    await mayWrite();
    await objects.delete(object);
  };
  for (let n = 0; n < tries; n++) {
    const there = await objects.withNumber(number);
    const ours = there.flatMap((object) => oursOf(objects, object, names) ?? []);
    const other = there.find((object) => !oursOf(objects, object, names));
    const [first, ...twice] = ours;
    // NetBox may let two have the same prefix or address: attempts that met, or somebody else and us.
    for (const object of twice) await removed(object);
    if (shown.use === "resting") {
      // What a person has removed does not come back to rest.
      if (first) await mayWrite();
      if (first) await objects.update(first, shown);
      return undefined;
    }
    if (other) {
      if (first) await removed(first);
      return other;
    }
    if (first && isAs(first, shown)) return undefined;
    await mayWrite();
    if (!first) await objects.create(number, shown);
    else if (await objects.update(first, shown)) return undefined;
  }
  throw new AppError("Unavailable", `NetBox does not show the number ${number} that it was sent`);
}

/** What rests is of nobody, and the next holder takes it over. */
function oursOf(objects: PoolObjects, object: NetboxObject, names: ReadonlySet<string>) {
  const tagged = objects.taggedOf(object);
  return tagged && (tagged.use === "resting" || names.has(tagged.holder)) ? tagged : undefined;
}

const isAs = (object: TaggedObject, shown: Exclude<ShownUse, { use: "resting" }>): boolean =>
  object.use === shown.use && object.holder === shown.holder;
