import { SFNClient } from "@aws-sdk/client-sfn";
import { client } from "../runtime/client.ts";

/** Step Functions, for functions on AWS. */
export const states = new SFNClient(client);
