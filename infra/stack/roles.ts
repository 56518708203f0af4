import type { Grant, Resource } from "../permissions.ts";

/** The ARNs of the resources that grants name. */
export type Arns = Partial<Record<Resource, $util.Input<string>[]>>;

/** A role for a service, with these grants and nothing else. */
export function roleFor(
  name: string,
  options: { name: string; service: string; grants: readonly Grant[]; arns: Arns },
): aws.iam.Role {
  return new aws.iam.Role(`${name}Role`, {
    name: options.name,
    assumeRolePolicy: JSON.stringify({
      Version: "2012-10-17",
      Statement: [
        { Effect: "Allow", Principal: { Service: options.service }, Action: "sts:AssumeRole" },
      ],
    }),
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

/** The permissions for a role that SST makes and adds rights of its own to. */
export const permissionsOf = (grants: readonly Grant[], arns: Arns) =>
  grants.map(({ actions, on, partitions }) => ({
    actions: [...actions],
    resources: on.flatMap((resource) => arnsOf(resource, arns)),
    ...(partitions && { conditions: [{ ...inPartitions, values: [...partitions] }] }),
  }));

const inPartitions = { test: "ForAllValues:StringEquals", variable: "dynamodb:LeadingKeys" };

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
