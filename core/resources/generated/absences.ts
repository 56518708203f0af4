// Made by `npm run generate` from core/resources/index.ts.
import type { Absences } from "../../ports/hub/absence.ts";
import { absence as cluster } from "../cluster/absence.ts";
import { absence as host } from "../host/absence.ts";

/** What it means for the objects of kinds that a read of a hub lacks something. */
export const absences: Absences = {
  cluster,
  host,
};
