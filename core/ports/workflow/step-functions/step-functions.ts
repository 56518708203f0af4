import type { SFNClient } from "@aws-sdk/client-sfn";
import type { Workflow } from "../../../kernel/saga/workflow.ts";
import { answering } from "./answering.ts";
import type { Arns } from "./arns.ts";
import { describing } from "./describing.ts";
import { starting } from "./starting.ts";

/** The whole port. Its parts are for functions that need, and may do, only some of it. */
export const stepFunctions = (client: SFNClient, arns: Arns): Workflow => ({
  ...starting(client, arns),
  ...describing(client, arns),
  ...answering(client),
});
