import * as z from "zod";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { bmcShownSchema, specShown } from "../host/bmc.ts";
import { type Dpu, type DpuState, dpuSpecSchema, dpuStates } from "./model.ts";

const states = dpuStates.map((state) => `DPU_STATE_${state}` as const) as [DpuState, ...DpuState[]];

export const dpuSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: dpuSpecSchema.extend({
    host: referenceSchema.describe("The host whose NICs are behind it."),
    bmc: bmcShownSchema,
  }),
  status: z.object({
    state: z.enum(states).describe("What the DPU is doing now."),
    message: z.string().optional().describe("Why, in words."),
  }),
});

const dpuView = (dpu: Dpu): z.output<typeof dpuSchema> => ({
  id: dpu.id,
  metadata: metadataView(dpu),
  spec: specShown(dpu),
  status: dpu.status,
});

export const wire: WireForm<"dpu"> = { view: dpuView };
