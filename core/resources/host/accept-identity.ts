import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { accepted } from "../../machine/identity.ts";
import { ownerIn } from "../../placement/pool/entries.ts";
import { outOfPool, type Places, startWrites, stillHeld } from "./care.ts";
import type { Host } from "./model.ts";
import { serverOf, withServer } from "./server.ts";

/**
 * Accepts another server as the host's own from now on, such as one with a new mainboard, by an administrator's
 * decision. The content of its drives is unknown: a free host is erased and discovered; a held one stays with
 * its owner. Throws FailedPrecondition if no other server was found, if that server is another host or DPU, and
 * while a saga works on the host.
 */
export async function acceptIdentityWrites(deps: Deps, caller: Caller, host: Host, places: Places) {
  const refused = (why: string) =>
    new AppError(
      "FailedPrecondition",
      `the identity of host '${host.id}' cannot be accepted: ${why}`,
    );
  if (host.operation) throw refused(`operation '${host.operation}' works on it`);
  if (!host.identity?.other) throw refused("its controller has reported no other server");
  const by = { user: caller.user, now: deps.clock.now() };
  const { identity, writes: claims } = await accepted(deps, host, host.identity.other, by, refused);
  const holder = ownerIn(places.entry);
  const { failure: _, ...rest } = host;
  const after = withServer({ ...rest, identity }, { quarantine: undefined });
  if (holder) {
    const { object, writes } = written(deps, host, after);
    return { writes: [...writes, stillHeld(host, holder.id), ...claims], result: { object } };
  }
  const isUsed = serverOf(after).condition === "USED";
  const unknown = isUsed ? after : withServer(after, { condition: "UNKNOWN", drives: undefined });
  if (serverOf(host).isRetired || host.maintenance) {
    const { object, writes } = written(deps, host, unknown);
    return { writes: [...writes, ...outOfPool(object, places), ...claims], result: { object } };
  }
  const work = isUsed ? "clean" : "discover";
  const { writes, result } = startWrites(deps, host, places, {
    work,
    by: caller.user,
    decided: unknown,
  });
  return { writes: [...writes, ...claims], result };
}
