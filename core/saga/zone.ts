import type { OperationId } from "../id.ts";
import { mustLoad } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { actionsOf, type Zone, zoneOfAction } from "./saga.ts";
import { type Sagas, sagaOf } from "./settle.ts";

/** Where a step of an operation runs. Throws NotFound when there is no such operation. */
export async function zoneOf(
  store: Store,
  sagas: Sagas,
  id: OperationId,
  step: string,
): Promise<Zone> {
  const saga = sagaOf(sagas, await mustLoad(store, "operation", id));
  const row = actionsOf(saga).get(step);
  return row ? zoneOfAction(row.action) : "core";
}
