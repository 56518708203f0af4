import { minutes } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { macKey } from "../../../core/kernel/object/keys.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { differencesIn, unerased } from "../../../core/resources/host/differences.ts";
import { reported } from "../../../core/resources/host/health.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { withServer } from "../../../core/resources/host/server.ts";
import { resultsOf, validation } from "../../../core/resources/host/validation.ts";
import { systems } from "../systems.ts";

/**
 * Compares the reported hardware with the inventory and the host's type, approves the agent, and records the
 * results of the type's tests. A difference keeps the host out of the pool, because orders rely on the type.
 */
async function admit(host: Host, context: StepContext<Host>): Promise<void> {
  const { deps, change } = context;
  const { name } = host.metadata;
  const { hub, host_type: hostType } = host.spec;
  const agent = host.status.agent?.name ?? "";
  const client = await deps.hubs.client(hub);
  const found = await client.agents.hardware(agent);
  if (!found) throw new AppError("Rejected", `the agent ${agent} is gone from the hub ${hub}`);
  const type = await mustLoad(deps, "host_type", hostType);
  const claims = await deps.store.getMany(found.macs.map(macKey));
  const foreign = found.macs.filter((_, n) => {
    const owner = claims[n]?.host;
    return owner !== undefined && owner !== host.id;
  });
  const differences = differencesIn(found, { host, hardware: type.spec.hardware, foreign });
  if (differences.length > 0) {
    // The controller may have omitted a drive or reported a false erasure, so the content of the drives is
    // unknown.
    const unknown = unerased(found, { host }).length > 0 && { condition: "UNKNOWN" as const };
    await change((current) => withServer(current, { differences, ...unknown }));
    const [{ field, expected, seen }] = differences as [(typeof differences)[0]];
    const more = differences.length > 1 ? `; ${differences.length - 1} more differ` : "";
    throw new AppError(
      "Rejected",
      `expected ${field} ${expected}; the agent reports ${seen}${more}`,
    );
  }
  const results = resultsOf(type.spec.validations ?? [], found.validations);
  await change((current) => reported(current, validation, results, deps.clock.now(), "anew"));
  await client.agents.admit(agent, { name, hostType });
}

export const admitAgent: StepAction<Host> = {
  system: systems.hub,
  act: admit,
  deadline: minutes(30),
};
