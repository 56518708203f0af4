import * as z from "zod";
import { lifecycleStates } from "../../kernel/object/lifecycle.ts";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { workSchema } from "../../kernel/saga/wait.ts";
import type { SecurityGroup } from "./model.ts";
import { ruleInputSchema } from "./rules.ts";

const states = lifecycleStates.map((state) => `SECURITY_GROUP_STATE_${state}` as const);

const ruleSchema = z.object({
  ...ruleInputSchema.shape,
  security_group: referenceSchema
    .optional()
    .describe("The other end: the members of a group of the same network."),
});

export const securityGroupSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    virtual_network: referenceSchema.describe("The network of the group."),
    ingress: z.array(ruleSchema).describe("The traffic allowed to its members."),
    egress: z.array(ruleSchema).describe("The traffic allowed from its members."),
  }),
  status: z.object({
    state: z.enum(states).describe("Whether its rules apply everywhere."),
    message: z.string().optional().describe("What it waits for, or why it failed."),
    wanted_version: z.int().optional().describe("The current version of its rules, from 1."),
    applied_version: z
      .int()
      .optional()
      .describe("The version of the rules that applies everywhere; absent until one does."),
    ...workSchema,
  }),
});

const securityGroupView = (group: SecurityGroup): z.output<typeof securityGroupSchema> => ({
  id: group.id,
  metadata: metadataView(group),
  spec: group.spec,
  status: {
    ...group.status,
    ...(group.operation !== undefined && { operation: group.operation }),
  },
});

/** The group for OSAC, whose rules name no groups, and whose status has only the state. */
function osacGroup({ spec, status, ...rest }: z.output<typeof securityGroupSchema>) {
  const { state, message } = status;
  const rules = (all: typeof spec.ingress) => all.map(({ security_group: _, ...rule }) => rule);
  return {
    ...rest,
    spec: { ...spec, ingress: rules(spec.ingress), egress: rules(spec.egress) },
    status: { state, ...(message !== undefined && { message }) },
  };
}

export const wire: WireForm<"security_group"> = {
  view: securityGroupView,
  osac: osacOf(osacGroup),
};
