import { ServiceError } from "./errors.ts";

/** The local account: every ARN has its region and number. */
const account = "us-east-1:000000000000";

/** The role of executions; it does not exist, but AWS's answers always name one. */
export const roleArn = "arn:aws:iam::000000000000:role/local";

export function stateMachineArn(name: string): string {
  return `arn:aws:states:${account}:stateMachine:${name}`;
}

export function executionArn(stateMachine: string, name: string): string {
  return `arn:aws:states:${account}:execution:${stateMachine}:${name}`;
}

/** Throws `InvalidName` unless Step Functions accepts the name (API reference, StartExecution). */
export function checkName(name: string): void {
  if (/^[0-9A-Za-z_-]{1,80}$/.test(name)) return;
  throw new ServiceError("InvalidName", `Invalid Name: '${name}'`);
}

/** Throws `InvalidArn` unless the text is an ARN of this kind. */
export function checkArn(arn: string, kind: "stateMachine" | "execution"): void {
  if (arn.startsWith(`arn:aws:states:${account}:${kind}:`)) return;
  const reason = arn.startsWith("arn:") ? `Resource type not valid` : "Invalid ARN prefix";
  throw new ServiceError("InvalidArn", `Invalid Arn: '${reason}: ${arn}'`);
}
