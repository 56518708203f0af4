// Made by `npm run generate` from core/resources/index.ts.
import type { Observers } from "../../ports/hub/observer.ts";
import { observer as cluster } from "../cluster/observer.ts";
import { observer as host } from "../host/observer.ts";

/** How the kinds observe their objects. */
export const observers: Observers = {
  cluster,
  host,
};
