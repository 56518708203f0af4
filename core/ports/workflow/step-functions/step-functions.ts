import type { SFNClient } from "@aws-sdk/client-sfn";
import type { Workflow } from "../../../kernel/saga/workflow.ts";
import { answering } from "./answering.ts";
import type { Arns } from "./arns.ts";
import { describing } from "./describing.ts";
import { planning } from "./planning.ts";
import { starting } from "./starting.ts";

/** The whole port. Functions that need, and may use, only some of its calls import the parts. */
export const stepFunctions = (client: SFNClient, arns: Arns): Workflow => ({
  ...starting(client, arns),
  ...describing(client, arns),
  ...planning(client, arns),
  ...answering(client),
});
