// Made by `npm run generate` from core/resources/index.ts.
import type { Absences } from "../../ports/hub/absence.ts";
import { absence as cluster } from "../cluster/absence.ts";
import { absence as host } from "../host/absence.ts";

/** What the kinds make of objects that a direct read of a hub did not find. */
export const absences: Absences = {
  cluster,
  host,
};
