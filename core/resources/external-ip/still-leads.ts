import { AppError } from "../../error.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import type { ExternalIp } from "./model.ts";

/**
 * Whether a DPU may still use an address: it did not confirm in time a configuration without the
 * address. That ends when the DPU confirms it or is deleted.
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

/** Throws FailedPrecondition for an address that a DPU may still use. */
export async function refuseLeading(records: Records, ip: ExternalIp): Promise<void> {
  if (!(await mayStillLead(records, ip))) return;
  const { name } = ip.metadata;
  throw new AppError(
    "FailedPrecondition",
    `external IP '${name}' may still be in use where it was attached: a network card (DPU) has not confirmed its removal; the provider has to repair or remove it`,
  );
}
