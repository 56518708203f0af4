import { changeObject } from "../../kernel/events/rewrite.ts";
import type { StepDeps } from "../../kernel/saga/context.ts";
import type { Write } from "../../kernel/store/store.ts";
import { identify, type Keep, type ServerIdentity } from "../../machine/identity.ts";
import type { BareMetalServer } from "../../ports/bare-metal/server.ts";
import { withOpen } from "../../ports/bare-metal/servers.ts";
import type { Host } from "./model.ts";
import { controllerOf, withServer } from "./server.ts";

type Change = (
  change: (host: Host) => Host | Promise<Host>,
  beside?: () => Write[],
) => Promise<unknown>;

/**
 * Works on the server of a host after a check of the server's identity. `change` applies a change to the host's
 * present record. Throws AnotherServer, and the errors of the server's controller.
 */
export const onServerOf = <T>(
  deps: StepDeps,
  host: Host,
  work: (server: BareMetalServer) => Promise<T>,
  change: Change = (next, beside) => changeObject(deps, "host", host.id, next, undefined, beside),
): Promise<T> =>
  withOpen(deps.servers, controllerOf(host), async (server) => {
    const keep: Keep = (next, beside) =>
      change(async (current) => identified(current, await next(current.identity, current)), beside);
    await identify(deps, server, host, keep, deps.clock.now());
    return work(server);
  });

/**
 * The host with the result of the identity check. If another server answers and no saga works on the host, the
 * host is quarantined until its own server is back.
 */
function identified(host: Host, identity: ServerIdentity): Host {
  const { other } = identity;
  const after = { ...host, identity };
  const isForThat =
    host.server?.quarantine !== undefined &&
    host.server.quarantine.reason === host.identity?.other?.reason;
  if (!other) return isForThat ? withServer(after, { quarantine: undefined }) : after;
  if (host.operation) return after;
  return withServer(after, { quarantine: { since: other.since, reason: other.reason } });
}
