import { bounds, cut } from "../../bounds.ts";
import type { News } from "./news.ts";

/** The last observation of an object on a hub, with the observed version. */
export interface Observation {
  uid: string;
  resource_version: string;
  /** When it was observed. */
  at: string;
  /** Whether the object has been deleted. */
  gone: boolean;
}

/**
 * The part of an observation that all kinds share. `at` is an RFC 3339 timestamp of the deployment's clock.
 */
export function observationIn({ object, deleted }: News, at: string): Observation {
  return { ...versionOf(object), at, gone: deleted };
}

/**
 * The object's uid and version, truncated: a direct read may bring anything, unlike a report, which is
 * validated.
 */
const versionOf = ({ metadata: { uid, resourceVersion } }: News["object"]) => ({
  uid: cut(uid, bounds.name),
  resource_version: cut(resourceVersion, bounds.name),
});

/**
 * Whether a report is later than the last observation. Resource versions of one hub only grow, over all its
 * objects: an object that is created again under the same name has a higher version than its predecessor, so
 * its uid does not matter. A report of the same version is a repetition, unless it reports the deletion. (A
 * hub restored from a backup counts from a lower version again: then only a direct read, which does not call
 * this function, may go back.)
 */
export function isNewer(
  previous: Pick<Observation, "resource_version"> | undefined,
  news: News,
): boolean {
  if (previous === undefined) return true;
  const { resource_version } = versionOf(news.object);
  if (resource_version === previous.resource_version) return news.deleted;
  const [told, known] = [resource_version, previous.resource_version].map(versionNumber);
  // Kubernetes guarantees decimal numbers; other versions are only compared for equality.
  return told === undefined || known === undefined || told > known;
}

/** Whether a report repeats the last observation. */
export function isRepeated(previous: Observation | undefined, { object, deleted }: News): boolean {
  const { uid, resource_version } = versionOf(object);
  return (
    previous?.uid === uid &&
    previous.resource_version === resource_version &&
    previous.gone === deleted
  );
}

function versionNumber(version: string): bigint | undefined {
  return /^\d+$/.test(version) ? BigInt(version) : undefined;
}
