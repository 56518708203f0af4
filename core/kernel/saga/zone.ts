import type { OperationId } from "../../id.ts";
import { mustLoad, type Records } from "../object/records.ts";
import { actionsOf, type Zone, zoneOfAction } from "./saga.ts";
import { type Shapes, sagaOf } from "./settle.ts";

/** The zone in which a step of an operation runs. Throws NotFound when there is no such operation. */
export async function zoneOf(
  records: Records,
  shapes: Shapes,
  id: OperationId,
  step: string,
): Promise<Zone> {
  const saga = sagaOf(shapes, await mustLoad(records, "operation", id));
  const row = actionsOf(saga).get(step);
  return row ? zoneOfAction(row.action) : "core";
}
