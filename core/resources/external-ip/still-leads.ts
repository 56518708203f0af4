import { AppError } from "../../error.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import type { ExternalIp } from "./model.ts";

/**
 * Whether DPUs may still have an address as before: they were given up when they did not tell in time that they do not.
 * Each tells once it answers again, or is gone.
 */
export async function mayStillLead(
  records: Records,
  { given_up_by: all = [] }: ExternalIp,
): Promise<boolean> {
  for (const givenUp of all) {
    const dpu = await load(records, "dpu", givenUp.dpu);
    const { state, version = 0 } = dpu?.applied ?? {};
    if (dpu && !(state === "applied" && version >= givenUp.version)) return true;
  }
  return false;
}

/** Throws FailedPrecondition for such an address. */
export async function refuseLeading(records: Records, ip: ExternalIp): Promise<void> {
  if (!(await mayStillLead(records, ip))) return;
  const { name } = ip.metadata;
  throw new AppError(
    "FailedPrecondition",
    `external IP '${name}' may still be in use where it was attached: a network card (DPU) has not confirmed its removal; the provider has to repair or remove it`,
  );
}
