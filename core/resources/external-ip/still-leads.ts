import { AppError } from "../../error.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import type { ExternalIp } from "./model.ts";

/**
 * Whether a DPU may still have an address lead to where it led before: it was given up when it did not tell in time that
 * it does not. It tells once it answers again, or is gone.
 */
export async function mayStillLead(
  records: Records,
  { given_up_by: givenUp }: ExternalIp,
): Promise<boolean> {
  if (!givenUp) return false;
  const dpu = await load(records, "dpu", givenUp.dpu);
  const { state, version = 0 } = dpu?.applied ?? {};
  return dpu !== undefined && !(state === "applied" && version >= givenUp.version);
}

/** Throws FailedPrecondition for such an address. */
export async function refuseLeading(records: Records, ip: ExternalIp): Promise<void> {
  if (!(await mayStillLead(records, ip))) return;
  const { name } = ip.metadata;
  throw new AppError(
    "FailedPrecondition",
    `external IP '${name}' may still lead to where it led: a network card (DPU) has not told that it does not, and its provider has to mend or remove it`,
  );
}
