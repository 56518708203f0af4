import type { Parameters } from "../parameters.ts";
import { type Place, stageKey } from "./encryption.ts";

/** The values that all parts of the stack use. */
export interface Stage extends Place {
  parameters: Parameters;
  /** The prefix of every name: `slipway-prod`. */
  prefix: string;
  /** The stage's own key, if it has one. */
  key: aws.kms.Key | undefined;
}

export function openStage(parameters: Parameters): Stage {
  const place = {
    partition: aws.getPartitionOutput().partition,
    account: aws.getCallerIdentityOutput().accountId,
    region: aws.getRegionOutput().region,
  };
  const prefix = `${$app.name}-${$app.stage}`;
  const key =
    parameters.encryption === "own"
      ? stageKey(prefix, place, { retainOnDelete: parameters.protected })
      : undefined;
  return { parameters, prefix, ...place, key };
}

/** The ARN of a resource in this stage's account and region. */
export const arnOf = (stage: Stage, service: string, rest: $util.Input<string>) =>
  $interpolate`arn:${stage.partition}:${service}:${stage.region}:${stage.account}:${rest}`;
