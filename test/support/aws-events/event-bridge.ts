import type { EventBridgeEvent } from "aws-lambda";

/** https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html */
const busEvent = <Detail>(
  source: string,
  type: string,
  detail: Detail,
): EventBridgeEvent<string, Detail> => ({
  version: "0",
  id: "6a7e8feb-b491-4cf7-a9f1-bf3703467718",
  "detail-type": type,
  source,
  account: "123456789012",
  time: "2026-11-21T06:00:00Z",
  region: "us-east-1",
  resources: [],
  detail,
});

/** What a hub's agent reports, on the hubs' bus. */
export const reportEvent = (source: string, detail: object, type = "slipway.hub.report.v1") =>
  busEvent(source, type, detail);

/**
 * That an execution has come to another state, on the account's own bus.
 * https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
 */
export function executionEvent(name: string, status: string, more: object = {}) {
  const executionArn = `arn:aws:states:us-east-1:123456789012:execution:cluster-create:${name}`;
  const stateMachineArn = "arn:aws:states:us-east-1:123456789012:stateMachine:cluster-create";
  const detail = {
    executionArn,
    stateMachineArn,
    name,
    status,
    startDate: 1_795_240_000_000,
    stopDate: 1_795_240_060_000,
    input: `{"operation":"${name}"}`,
    output: null,
    // It was started through the alias.
    stateMachineVersionArn: `${stateMachineArn}:3`,
    stateMachineAliasArn: `${stateMachineArn}:live`,
    redriveCount: 0,
    redriveDate: null,
    redriveStatus: "NOT_REDRIVABLE",
    redriveStatusReason: null,
    inputDetails: { included: true },
    outputDetails: null,
    error: null,
    cause: null,
    ...more,
  };
  const event = busEvent("aws.states", "Step Functions Execution Status Change", detail);
  return { ...event, resources: [executionArn] };
}
