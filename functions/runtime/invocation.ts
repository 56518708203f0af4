import { LambdaClient } from "@aws-sdk/client-lambda";
import { lambdaCaller, lambdaHandover } from "../../core/ports/aws/invoke.ts";
import type { Handover, LambdaCaller } from "../../core/ports/aws/lambda.ts";
import { client, waitingClient } from "./client.ts";

/** Calls Slipway's functions from other functions on AWS. */

export const handover = (): Handover => lambdaHandover(new LambdaClient(client));

export const caller = (): LambdaCaller => lambdaCaller(new LambdaClient(waitingClient));
