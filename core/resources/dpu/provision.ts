import type { OperationId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import { startOperation } from "../../kernel/saga/start-operation.ts";
import type { Write } from "../../kernel/store/store.ts";
import type { Dpu } from "./model.ts";
import { operated } from "./operated.ts";

/** The names of the sagas on DPUs, for code that starts them without knowing their steps. */
const dpuSagas = { provision: "dpu-provision" } as const;

/** The start of the provisioning of a DPU that has no operation. */
export function provisionWrites(
  deps: Pick<Deps, "kinds" | "clock" | "newId">,
  dpu: Dpu,
  by: string,
): { writes: Write[]; result: { object: Dpu; operation: OperationId } } {
  const start = { saga: dpuSagas.provision, creator: by };
  return startOperation(deps, dpu, start, (operation) => operated.started(dpu, operation));
}
