import * as z from "zod";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/error.ts";
import type { Sagas } from "../core/kernel/saga/settle.ts";
import { messageSchema } from "../core/ports/hub/news.ts";
import { hubIn, reportType } from "../core/reconcile/hub-source.ts";
import { takeReport } from "../core/reconcile/report.ts";

/** An event of the hubs' bus. */
const reported = z.object({
  /** Fixed by the sender's identity: the only word on which hub it is. */
  source: z.string(),
  "detail-type": z.literal(reportType),
  detail: messageSchema,
});

/** The observers' function: what a hub reports, into the records. Throws Invalid for what is no report. */
export function observeEvent(deps: Deps, sagas: Sagas): (event: unknown) => Promise<void> {
  return async (event) => {
    const { success, data, error } = reported.safeParse(event);
    const hub = success ? hubIn(data.source) : undefined;
    if (!success || hub === undefined) {
      throw new AppError("Invalid", "this is no report of a hub", { cause: error });
    }
    await takeReport(deps, sagas, { ...data.detail, hub });
  };
}
