import * as z from "zod";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { lineSchema } from "../../kernel/input/text.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import type { Acceptance } from "../../kernel/request/action.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { deletionWrites } from "../../kernel/saga/delete.ts";
import type { Write } from "../../kernel/store/store.ts";
import { preventsAllocation } from "../host/alerts.ts";
import { reported } from "../host/health.ts";
import { ownSources } from "../host/health-sources.ts";
import { healthWrites } from "../host/take-health.ts";
import { refuseAttachedServer } from "./attached.ts";
import type { BaremetalInstance } from "./model.ts";
import { instanceSagas } from "./sagas.ts";

/** A tenant releases a server and reports a fault of it. */

const issueCategories = ["hardware", "storage", "network", "performance", "other"] as const;

const issueSchema = z.strictObject({
  category: z.enum(issueCategories).describe("The part at fault."),
  summary: lineSchema(256).describe("The fault in one line."),
  details: z.string().max(4000).optional().describe("Details: what was seen, and when."),
});
type Issue = z.output<typeof issueSchema>;

export const releaseSchema = z.strictObject({
  issue: issueSchema.describe("The fault of the server."),
});
export type ReleaseInput = z.output<typeof releaseSchema>;

/**
 * Deletes a server with a fault that its tenant reports. The host is cleaned like any other, and stays out of
 * the pool until an administrator reports it as repaired. Throws FailedPrecondition for a server without a
 * host, in use, or already being deleted.
 */
export async function issueReleaseWrites(
  deps: Deps,
  caller: Caller,
  server: BaremetalInstance,
  issue: Issue,
): Promise<Acceptance<"baremetal_instance">> {
  const { metadata } = server;
  if (metadata.deletion_timestamp)
    throw new AppError("FailedPrecondition", `'${metadata.name}' is being deleted`);
  return deletionWrites<"baremetal_instance">(deps, caller, server, {
    saga: instanceSagas.delete,
    further: async () => [
      ...(await refuseAttachedServer(deps, server)),
      ...(await issueWrites(deps, server, issue)),
    ],
  });
}

async function issueWrites(
  deps: Deps,
  { id, metadata, placement }: BaremetalInstance,
  { category, summary, details }: Issue,
): Promise<Write[]> {
  const [held] = Object.values(placement?.hosts ?? {}).flat();
  if (!held)
    throw new AppError(
      "FailedPrecondition",
      `'${metadata.name}' has no host that could be at fault`,
    );
  const host = await mustLoad(deps, "host", held);
  const now = deps.clock.now();
  const alert = {
    id: `issue-${category}`,
    target: `server '${metadata.name}' (${id}) of tenant '${metadata.tenant}'`,
    message: details === undefined ? summary : `${summary}: ${details}`,
    classifications: [preventsAllocation, "tenant_reported_issue"],
  };
  const after = reported(host, ownSources.tenant, { successes: [], alerts: [alert] }, now);
  return after ? (await healthWrites(deps, host, after)).writes : [];
}
