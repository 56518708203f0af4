import { AppError } from "../../../error.ts";
import type { TaggedObject } from "./custom-fields.ts";
import type { NetboxObject } from "./object-type.ts";
import type { PoolObjects, ShownUse } from "./pool-objects.ts";

/** How often NetBox is read again after a write to it. */
const tries = 5;

export interface MirrorConditions {
  /**
   * The names under which the number may be ours in NetBox: an object with another name, or none, is somebody
   * else's, and is left unchanged.
   */
  names: ReadonlySet<string>;
  /** Called before each write; throws if the write is not permitted. */
  mayWrite(): Promise<void>;
}

/** Makes NetBox show a number as `shown`. Answers somebody else's object if one is in the way. */
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
    // NetBox may permit the same prefix or address twice: after concurrent attempts, or besides somebody
    // else's.
    for (const object of twice) await removed(object);
    if (shown.use === "resting") {
      // A number that a person has removed is not created again for its rest.
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

/** A resting number has no holder, and the next holder takes it over. */
function oursOf(objects: PoolObjects, object: NetboxObject, names: ReadonlySet<string>) {
  const tagged = objects.taggedOf(object);
  return tagged && (tagged.use === "resting" || names.has(tagged.holder)) ? tagged : undefined;
}

const isAs = (object: TaggedObject, shown: Exclude<ShownUse, { use: "resting" }>): boolean =>
  object.use === shown.use && object.holder === shown.holder;
