import { SFNClient } from "@aws-sdk/client-sfn";
import { client } from "../client.ts";

/** Step Functions, as the functions on AWS reach it. */
export const states = new SFNClient(client);
