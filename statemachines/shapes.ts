import type { Shapes } from "../core/kernel/saga/settle.ts";
import { ended } from "./ended.ts";
import { shapes } from "./generated/shapes.ts";

/** Every saga without the code of its steps, for functions that run none. */
export const sagaShapes: Shapes = {
  "cluster-create": { ...shapes["cluster-create"], ended: ended["cluster-create"] },
  "cluster-delete": { ...shapes["cluster-delete"], ended: ended["cluster-delete"] },
  "cluster-scale": { ...shapes["cluster-scale"], ended: ended["cluster-scale"] },
  "cluster-upgrade": { ...shapes["cluster-upgrade"], ended: ended["cluster-upgrade"] },
};
