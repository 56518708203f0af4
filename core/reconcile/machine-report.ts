import { timestamp } from "../clock.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import { known } from "../kernel/object/kind.ts";
import type { Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { isOperated } from "../kernel/object/traits.ts";
import type { TokenUse } from "../machine/machine.ts";
import type { MachineReport } from "../machine/requests.ts";
import type { Serving, ServingDeps } from "../machine/serving.ts";
import { eachRunningOf } from "./under-way.ts";

/**
 * Accepts a machine's report. Writes it into the record of the object that has booted the machine, then requests a wake
 * of the step that waits for it. The function that receives reports ends no step itself, because it would need every
 * right that the end of an operation needs. A report that no longer fits the object's state changes nothing.
 */
export async function takeMachineReport<K extends Kind>(
  deps: ServingDeps,
  { kind, id }: { kind: K; id: string },
  { machine }: TokenUse,
  report: MachineReport,
): Promise<void> {
  const serving: Serving<K> | undefined = deps.machines[kind];
  const now = timestamp(deps.clock.now());
  const reported = await changeObject(deps, kind, id, (object: ObjectOf[K]) =>
    known(kind, serving).allows(object, report.of, machine)
      ? known(kind, serving).reported(object, report, { machine, now })
      : undefined,
  );
  const others = (await known(kind, serving).others?.(deps, reported)) ?? [];
  const concerned = [...(isOperated(deps.kinds, kind) ? [{ kind, id }] : []), ...others];
  await eachRunningOf(deps, concerned, (operation) => deps.wakes.request(operation));
}
