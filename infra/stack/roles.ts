import type { Grant, Resource } from "../permissions.ts";

/** ARNs of what the grants name. */
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

function statementsOf(grants: readonly Grant[], arns: Arns) {
  return grants.map(({ actions, on, partitions }) => ({
    Effect: "Allow",
    Action: [...actions],
    Resource: on.flatMap((resource) => arnsOf(resource, arns)),
    ...(partitions && {
      Condition: { "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": [...partitions] } },
    }),
  }));
}

function arnsOf(resource: Resource, arns: Arns): $util.Input<string>[] {
  const found = resource === "anything" ? ["*"] : arns[resource];
  if (!found || found.length === 0) throw new Error(`nothing is known of '${resource}'`);
  return found;
}
