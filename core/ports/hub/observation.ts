import { bounds, cut } from "../../bounds.ts";
import type { News } from "./news.ts";

/** The last observation of an object on a hub, and the version of the object that it is of. */
export interface Observation {
  uid: string;
  resource_version: string;
  /** When it was observed. */
  at: string;
  /** Whether the object is no longer there. */
  gone: boolean;
}

/** The part of an observation that every report has. `at` is an RFC 3339 timestamp of the deployment's clock. */
export function observationIn({ object, deleted }: News, at: string): Observation {
  return { ...versionOf(object), at, gone: deleted };
}

/** Which version of which object it is. A hub that is read may answer anything, unlike one whose agent reports. */
const versionOf = ({ metadata: { uid, resourceVersion } }: News["object"]) => ({
  uid: cut(uid, bounds.name),
  resource_version: cut(resourceVersion, bounds.name),
});

/**
 * Whether a report of an object is later than the last observation. Versions of one hub only grow, over
 * all its objects: an object that is made again under the same name has higher versions than the one
 * before it, so its uid does not matter. A report of the same version is a repetition, unless it says
 * that the object is gone. (A hub that was restored from a backup counts from an earlier number again:
 * then only a direct read, which does not call this function, may go back.)
 */
export function isNewer(
  previous: Pick<Observation, "resource_version"> | undefined,
  news: News,
): boolean {
  if (previous === undefined) return true;
  const { resource_version } = versionOf(news.object);
  if (resource_version === previous.resource_version) return news.deleted;
  const [told, known] = [resource_version, previous.resource_version].map(versionNumber);
  // Kubernetes promises decimal numbers; of other versions only the difference is known.
  return told === undefined || known === undefined || told > known;
}

/** Whether a report says of an object what the last observation said. */
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
