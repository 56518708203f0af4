import * as z from "zod";
import { AppError } from "../core/error.ts";
import type { Sagas } from "../core/kernel/saga/settle.ts";
import { hubIn, reportType } from "../core/ports/bus/hub-source.ts";
import { messageSchema } from "../core/ports/hub/news.ts";
import type { ObserveDeps } from "../core/ports/hub/observer.ts";
import { takeReport } from "../core/reconcile/report.ts";

/** An event of the hubs' bus. */
const reported = z.object({
  /** Determined by the sender's identity, because the report itself does not name its hub. */
  source: z.string(),
  "detail-type": z.literal(reportType),
  detail: messageSchema,
});

/** Writes a hub's report into the records. Throws Invalid for anything else. */
export function observeEvent(deps: ObserveDeps, sagas: Sagas): (event: unknown) => Promise<void> {
  return async (event) => {
    const { success, data, error } = reported.safeParse(event);
    const hub = success ? hubIn(data.source) : undefined;
    if (!success || hub === undefined) {
      throw new AppError("Invalid", "the event is not a report of a hub", { cause: error });
    }
    await takeReport(deps, sagas, { ...data.detail, hub });
  };
}
