import type { OperationId } from "../../id.ts";
import { mustLoad, type Records } from "../object/records.ts";
import { actionsOf, type Shape, type Zone, zoneOfAction } from "./saga.ts";
import { type Shapes, sagaOf } from "./settle.ts";

/**
 * The zone in which a step of an operation runs. The operation is read only where a step of this name has different
 * zones in different sagas; then throws NotFound when there is no such operation.
 */
export async function zoneOf(
  records: Records,
  shapes: Shapes,
  id: OperationId,
  step: string,
): Promise<Zone> {
  const zoneIn = (saga: Shape): Zone | undefined => {
    const row = actionsOf(saga).get(step);
    return row && zoneOfAction(row.action);
  };
  const [zone, ...others] = new Set(Object.values(shapes).flatMap((saga) => zoneIn(saga) ?? []));
  const known =
    others.length === 0 ? zone : zoneIn(sagaOf(shapes, await mustLoad(records, "operation", id)));
  return known ?? "core";
}
