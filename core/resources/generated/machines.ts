// Made by `npm run generate` from core/resources/index.ts.
import type { Servings } from "../../machine/serving.ts";
import { machines as baremetalInstance } from "../baremetal-instance/machines.ts";
import { machines as host } from "../host/machines.ts";
import { machines as dpu } from "../dpu/machines.ts";

/** What the kinds say to the machines that they boot. */
export const machines: Servings = {
  baremetal_instance: baremetalInstance,
  host,
  dpu,
};
