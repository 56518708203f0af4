import { expect } from "vitest";
import type { FunctionName } from "../../infra/functions.ts";
import {
  type Grant,
  type Resource,
  type SecretResource,
  withoutResource,
} from "../../infra/permissions.ts";
import { sagas } from "../../statemachines/index.ts";
import type { Inputs, Resource as MadeResource } from "./pulumi-mocks.ts";
import type { Synthesis } from "./synth.ts";

/** Questions about a synthesised stack. */
export class Stack {
  readonly #synthesis: Synthesis;

  constructor(synthesis: Synthesis) {
    this.#synthesis = synthesis;
  }

  get outputs(): Record<string, unknown> {
    return this.#synthesis.outputs;
  }

  get app(): Record<string, unknown> {
    return this.#synthesis.app;
  }

  get resources(): MadeResource[] {
    return this.#synthesis.resources;
  }

  /** How many resources of a type stay in AWS when the stack has them no more. */
  retained(type: string): number {
    return this.#synthesis.retained.filter((each) => each === `aws:${type}`).length;
  }

  get bundles(): string[] {
    return this.#synthesis.bundles;
  }

  /** What resources of a type were made of, such as `dynamodb/table:Table`. */
  of(type: string): Inputs[] {
    const { resources } = this.#synthesis;
    return resources.filter((each) => each.type === `aws:${type}`).map(({ inputs }) => inputs);
  }

  /** The only one of its type. */
  only(type: string): Inputs {
    const found = this.of(type);
    expect(found, type).toHaveLength(1);
    return found[0] ?? {};
  }

  named(type: string, name: string): Inputs {
    const found = this.of(type).filter((inputs) => inputs.name === name);
    expect(found, `${type} ${name}`).toHaveLength(1);
    return found[0] ?? {};
  }

  /** Every statement of every policy that a role or resource was given, with whose it is. */
  statements(): { of: string; statement: Statement }[] {
    const roles = this.of("iam/role:Role").flatMap(({ name, inlinePolicies }) =>
      ((inlinePolicies ?? []) as { policy: string }[]).flatMap(({ policy }) =>
        statementsIn(policy).map((statement) => ({ of: String(name), statement })),
      ),
    );
    return roles;
  }

  /** What lets a service of AWS in, of every policy and permission: where, and on which condition. */
  trustsOfServices(): { where: string; condition: string }[] {
    const permissions = this.of("lambda/permission:Permission").map((given) => ({
      where: `a permission for ${given.principal}`,
      condition: JSON.stringify(given.sourceArn ?? given.sourceAccount ?? ""),
    }));
    // SST lets CloudFront read the console's files, which everybody gets anyway.
    const others = this.resources.filter(({ name }) => name !== "ConsoleSiteAssetsPolicy");
    const policies = others.flatMap(({ type, name, inputs }) =>
      Object.values(inputs)
        .filter((value) => typeof value === "string" && value.includes('"Principal"'))
        .flatMap(statementsIn)
        .filter(({ Principal }) => Principal && "Service" in Principal)
        .map(({ Condition }) => ({
          where: `${type} ${name}`,
          condition: JSON.stringify(Condition ?? {}),
        })),
    );
    return [...permissions, ...policies];
  }

  /** What a role may do: each action with what it may be done on, and on which condition. */
  allowed(role: string): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const { of, statement } of this.statements()) {
      if (of !== role) continue;
      const targets = list(statement.Resource).map((each) => when(each, statement.Condition));
      for (const action of list(statement.Action))
        found.set(action, [...(found.get(action) ?? []), ...targets].sort());
    }
    return found;
  }
}

export interface Statement {
  Sid?: string;
  Principal?: object;
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
  Condition?: object;
}

const when = (target: string, condition?: object): string =>
  condition ? `${target} when ${JSON.stringify(condition)}` : target;

const list = (value: string | string[]): string[] => (typeof value === "string" ? [value] : value);

export const statementsIn = (policy: unknown): Statement[] =>
  (JSON.parse(String(policy)) as { Statement: Statement[] }).Statement;

/** What the table of grants says of a role, with the resources' ARNs: as `allowed` has it. */
export function expected(grants: Grant[], arns: Record<Resource, string[]>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { actions, on, partitions } of grants) {
    const condition = partitions && {
      "ForAllValues:StringLike": { "dynamodb:LeadingKeys": partitions },
    };
    const targets = on.flatMap((resource) => arns[resource]).map((each) => when(each, condition));
    for (const action of actions)
      found.set(action, [...(found.get(action) ?? []), ...targets].sort());
  }
  return found;
}

export const sagaNames = Object.keys(sagas).sort();
/** The first words of their names. */
const families = [...new Set(sagaNames.map((saga) => saga.split("-")[0] ?? ""))];

/** ARNs of a stage of this name, as the mocks make them. */
export function arnsOf(stage: string, name: FunctionName): Record<Resource, string[]> {
  const at = (service: string, rest: string) => `arn:aws:${service}:us-east-1:123456789012:${rest}`;
  const lambda = (each: string) => [at("lambda", `function:${stage}-${each}`)];
  const table = at("dynamodb", `table/${stage}`);
  return {
    table: [table],
    "index g1": [`${table}/index/by-g1`],
    "index g2": [`${table}/index/by-g2`],
    "index g3": [`${table}/index/by-g3`],
    "index g4": [`${table}/index/by-g4`],
    stream: [`${table}/stream/2026-01-01T00:00:00.000`],
    // The list of all would not fit into a role's policies.
    machines: families.map((word) => at("states", `stateMachine:${stage}-${word}-*`)),
    executions: families.map((word) => at("states", `execution:${stage}-${word}-*:*`)),
    bus: [at("events", `event-bus/${stage}`)],
    "hubs-bus": [at("events", `event-bus/${stage}-hubs`)],
    ...secretArns((name) => at("secretsmanager", `secret:${stage.replace("-", "/")}/${name}`)),
    "core-worker": lambda("core-worker"),
    "hub-worker": lambda("hub-worker"),
    "site-worker": lambda("site-worker"),
    due: lambda("due"),
    sweep: lambda("sweep"),
    webhooks: lambda("webhooks"),
    "webhook-queue": [at("sqs", `${stage}-webhooks`)],
    "recheck-queue": [at("sqs", `${stage}-rechecks`)],
    "hosted-zones": ["arn:aws:route53:::hostedzone/Z0123456789"],
    "zone-changes": ["arn:aws:route53:::change/*"],
    "dead-letters": [at("sqs", `${stage}-${name}-dead-letters`)],
    "own-logs": [at("logs", `log-group:/aws/lambda/${stage}-${name}:*`)],
    key: [at("kms", "key/key-1")],
    anything: ["*"],
  };
}

/** The ARNs of families of secrets, each written down here once more. */
const secretArns = (at: (name: string) => string): Record<SecretResource, string[]> => ({
  "secrets of cluster-pull-secret": [at("cluster/*/pull-secret*")],
  "secrets of provider-pull-secret": [at("provider/pull-secret*")],
  "secrets of ingress-certificate": [at("cluster/*/ingress-certificate*")],
  "secrets of user-data": [at("baremetal-instance/*/user-data*")],
  "secrets of site-credentials": [at("site/*/credentials*")],
  "secrets of webhook": [at("webhook/*/secrets*")],
  "secrets of identity-provider": [at("identity-provider/*/client-secret*")],
  "secrets of tenant-secret": [at("secret/*/values*")],
  "secrets of bmc-credentials": [at("host/*/bmc*")],
  "secrets of discovery-image": [at("host/*/discovery-image*")],
  "secrets of machine-token": [at("machine/*/*/*")],
  "secrets of hub-credentials": [at("hub/*/kubeconfig*")],
});

/** Statements that allow too much. */
export function tooWide(statements: { of: string; statement: Statement }[]) {
  return statements.filter(
    ({ statement }) =>
      list(statement.Action).some((action) => action.includes("*")) ||
      (list(statement.Resource).includes("*") &&
        !list(statement.Action).every((action) => action in withoutResource)),
  );
}
