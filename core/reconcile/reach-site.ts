import { isDeepStrictEqual } from "node:util";
import { reachIn, type SiteReach } from "../at-site/reach.ts";
import { bounds, cut } from "../bounds.ts";
import { minutes, timestamp } from "../clock.ts";
import { type AppError, toAppError } from "../error.ts";
import type { Deps } from "../kernel/deps.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import { siteReachKey } from "../kernel/object/hub-keys.ts";
import { objectKey } from "../kernel/object/keys.ts";
import { isWritten } from "../kernel/store/optimistically.ts";
import { absent, eq, exists, type Write } from "../kernel/store/store.ts";
import type { OrphanSystem } from "../ports/orphan.ts";

/** How old the recorded time of the last answer may become. */
const reachNoted = minutes(15);

/** The result of a check at each system of a site: undefined for one that answered. */
export type Answers = ReadonlyMap<OrphanSystem, unknown>;

/**
 * Records which systems of a site answered. Like a hub, a system counts as unreachable after the second failed check in
 * a row; the site's status then names it, with an event. A concurrent check's write takes precedence.
 */
export async function noteSystems(deps: Deps, site: string, answers: Answers): Promise<void> {
  const { store, clock } = deps;
  const key = siteReachKey(site);
  const item = await store.get(key);
  const before = reachIn(item);
  const now = clock.now();
  const after: SiteReach = { ...before };
  for (const [system, thrown] of answers)
    after[system] = reached(
      before[system],
      thrown === undefined ? undefined : toAppError(thrown),
      now,
    );
  if (!isDeepStrictEqual(before, after)) {
    const version = Number(item?.version ?? 0);
    const put = { ...key, version: version + 1, systems: after };
    const isThere: Write = { check: objectKey("site", site), if: exists };
    const isOurs = await isWritten(store, [
      isThere,
      { put, if: item ? eq("version", version) : absent },
    ]);
    if (!isOurs) return;
  }
  const away = [...answers.keys()].filter(
    (system) => after[system]?.since !== undefined && before[system]?.since !== undefined,
  );
  await changeObject(deps, "site", site, ({ status: { away: known = [], ...status }, ...rest }) =>
    isDeepStrictEqual(known, away)
      ? undefined
      : { ...rest, status: { ...status, ...(away.length > 0 && { away }) } },
  );
}

function reached(
  known: SiteReach[OrphanSystem] = {},
  error: AppError | undefined,
  now: number,
): SiteReach[OrphanSystem] {
  const { at, since = timestamp(now) } = known;
  if (error)
    return { ...(at !== undefined && { at }), since, message: cut(error.message, bounds.reason) };
  const isNoted =
    at !== undefined && known.since === undefined && now - Date.parse(at) < reachNoted;
  return isNoted ? known : { at: timestamp(now) };
}
