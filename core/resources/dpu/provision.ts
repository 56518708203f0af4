import type { OperationId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import { rewritten } from "../../kernel/events/rewrite.ts";
import { putChanged, putNew } from "../../kernel/object/records.ts";
import { newOperation } from "../../kernel/saga/new-operation.ts";
import type { Write } from "../../kernel/store/store.ts";
import type { Dpu } from "./model.ts";
import { operated } from "./operated.ts";
import { dpuSagas } from "./sagas.ts";

/** The start of the provisioning of a DPU that no operation works on. */
export function provisionWrites(
  deps: Pick<Deps, "kinds" | "clock" | "newId">,
  dpu: Dpu,
  by: string,
): { writes: Write[]; result: { object: Dpu; operation: OperationId } } {
  const operation = newOperation(deps, {
    saga: dpuSagas.provision,
    change: "UPDATE",
    target: dpu,
    creator: by,
  });
  const started = operated.started(dpu, operation.id);
  const object = rewritten(deps.kinds, dpu, started, deps.clock.now());
  const writes = [...putNew(deps.kinds, operation), putChanged(deps.kinds, object)];
  return { writes, result: { object, operation: operation.id } };
}
