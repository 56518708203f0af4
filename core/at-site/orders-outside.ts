import type { ObjectOf } from "../kernel/object/object-of.ts";
import { type Again, type OrderSagas, ordersBy } from "../kernel/saga/orders.ts";
import type { MadeOutsideKind } from "./made-outside.ts";
import { orderedAgain, type SiteClaims } from "./order.ts";
import { type SagasOutside, sagasOn } from "./sagas-outside.ts";

interface OrdersOutside<K extends MadeOutsideKind> {
  /** The amounts that quotas count for an object, from its order on. */
  charge: Record<string, number>;
  /** See `OrderSagas`. */
  update?: OrderSagas<K>["update"];
  /**
   * The saga that retries a failed change; undefined for an object that was never created, which is created
   * instead.
   */
  again?(object: ObjectOf[K]): Pick<Again<K>, "saga" | "change"> | undefined;
  /** The claims that a retry repeats. */
  claims?: SiteClaims<ObjectOf[K]>;
}

/** Orders whose sagas run at a site or on a hub. */
export const ordersOutside = <K extends MadeOutsideKind>(
  sagas: SagasOutside & { kind: K },
  { charge, update, again, claims }: OrdersOutside<K>,
) =>
  ordersBy<K>({
    kind: sagas.kind,
    create: (object) => sagasOn(sagas, object).create,
    delete: (object) => sagasOn(sagas, object).delete,
    ...(update && { update }),
    async again(deps, object) {
      const changed = again?.(object);
      if (changed) return { ...changed, object, writes: [] };
      const { create } = sagasOn(sagas, object);
      return orderedAgain(deps, object, { create, charge, claims });
    },
  });
