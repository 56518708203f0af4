import type { Grant, Resource } from "../permissions.ts";
import type { Stage } from "./stage.ts";

/** The ARNs of the resources in grants. */
export type Arns = Partial<Record<Resource, $util.Input<string>[]>>;

/** Who assumes a role. */
export interface Taker {
  service: string;
  /** The only resource of ours that it is assumed for, where the service names one. */
  source?: $util.Input<string>;
}

/** A role for a service, with only these grants. */
export function roleFor(
  stage: Stage,
  name: string,
  options: Taker & { name: string; grants: readonly Grant[]; arns: Arns },
): aws.iam.Role {
  return new aws.iam.Role(`${name}Role`, {
    name: options.name,
    assumeRolePolicy: trustIn(stage, options),
    inlinePolicies: [
      {
        name: "grants",
        policy: $jsonStringify({
          Version: "2012-10-17",
          Statement: statementsOf(options.grants, options.arns),
        }),
      },
    ],
  });
}

/**
 * Allows a service to assume a role for resources of this account only: a service that works for other accounts too
 * could be asked to use the role for them (the confused deputy).
 */
export const trustIn = ({ account }: Stage, { service, source }: Taker) =>
  $jsonStringify({
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: { Service: service },
        Action: "sts:AssumeRole",
        Condition: {
          StringEquals: { "aws:SourceAccount": account },
          ...(source && { ArnLike: { "aws:SourceArn": source } }),
        },
      },
    ],
  });

/** The permissions for a role that SST creates and extends. */
export const permissionsOf = (grants: readonly Grant[], arns: Arns) =>
  grants.map(({ actions, on, partitions }) => ({
    actions: [...actions],
    resources: on.flatMap((resource) => arnsOf(resource, arns)),
    ...(partitions && { conditions: [{ ...inPartitions, values: [...partitions] }] }),
  }));

const inPartitions = { test: "ForAllValues:StringLike", variable: "dynamodb:LeadingKeys" };

function statementsOf(grants: readonly Grant[], arns: Arns) {
  return permissionsOf(grants, arns).map(({ actions, resources, conditions }) => ({
    Effect: "Allow",
    Action: actions,
    Resource: resources,
    ...(conditions && { Condition: conditionsOf(conditions) }),
  }));
}

const conditionsOf = (conditions: { test: string; variable: string; values: string[] }[]) =>
  Object.fromEntries(
    conditions.map(({ test, variable, values }) => [test, { [variable]: values }]),
  );

function arnsOf(resource: Resource, arns: Arns): $util.Input<string>[] {
  const found = resource === "anything" ? ["*"] : arns[resource];
  if (!found || found.length === 0) throw new Error(`nothing is known of '${resource}'`);
  return found;
}
