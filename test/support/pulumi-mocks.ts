export interface Resource {
  type: string;
  name: string;
  // What a resource is made of is as various as AWS.
  inputs: Inputs;
}
export type Inputs = Record<string, unknown>;

/** What the account is like. */
export interface Account {
  /** Concurrent runs of Lambda functions. */
  runs?: number;
  /** The zone that all of its subnets are in. */
  zone?: string;
}

const accountId = "123456789012";
const region = "us-east-1";

/** Pulumi's engine and AWS's provider: they record, and answer what AWS would make of it. */
export function mocks(resources: Resource[], { runs = 1000, zone }: Account) {
  return {
    newResource({ type, name, inputs: sealed, id: read }: Resource & { id?: string }) {
      const inputs = unsealed(sealed) as Inputs;
      if (!read) resources.push({ type, name, inputs });
      return { id: `${madeLater}${name}`, state: { ...inputs, ...made(type, name, inputs) } };
    },
    call({ token, inputs }: { token: string; inputs: Inputs }) {
      switch (token) {
        case "aws:index/getRegion:getRegion":
          return { name: region, region };
        case "aws:index/getPartition:getPartition":
          return { partition: "aws" };
        case "aws:index/getCallerIdentity:getCallerIdentity":
          return { accountId };
        case "aws:index/getAvailabilityZones:getAvailabilityZones":
          return { names: ["us-east-1a", "us-east-1b", "us-east-1c"] };
        case "aws:servicequotas/getServiceQuota:getServiceQuota":
          return { ...inputs, value: runs };
        case "aws:ec2/getSubnet:getSubnet": {
          // One in each zone, called after it.
          const own = `${region}${String(inputs.id).at(-1)}`;
          return { ...inputs, vpcId: "vpc-0123456789abcdef0", availabilityZone: zone ?? own };
        }
        case "aws:dynamodb/getTable:getTable": {
          const arn = `arn:aws:dynamodb:${region}:${accountId}:table/${inputs.name}`;
          return { ...inputs, arn, streamArn: `${arn}/stream/2026-02-02T00:00:00.000` };
        }
        case "aws:secretsmanager/getSecretVersion:getSecretVersion":
          return { ...inputs, secretString: "key-of-an-endpoint" };
        case "aws:iam/getPolicyDocument:getPolicyDocument":
          return { ...inputs, json: policyDocument(inputs.statements as PolicyStatement[]) };
        default:
          return inputs;
      }
    },
  };
}

interface PolicyStatement {
  effect?: string;
  actions: string[];
  resources?: string[];
  principals?: { type: string; identifiers: string[] }[];
  conditions?: { test: string; variable: string; values: string[] }[];
}

/** As AWS's provider writes it. */
const policyDocument = (statements: PolicyStatement[]): string =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: statements.map(
      ({ effect = "Allow", actions, resources, principals, conditions }) => ({
        Effect: effect,
        Action: actions,
        ...(resources && { Resource: resources }),
        ...(principals && {
          Principal: Object.fromEntries(principals.map((each) => [each.type, each.identifiers])),
        }),
        ...(conditions && {
          Condition: Object.fromEntries(
            conditions.map(({ test, variable, values }) => [test, { [variable]: values }]),
          ),
        }),
      }),
    ),
  });

/** Ids that AWS makes begin with it here: nothing is known of them before. */
const madeLater = "id-of-";

export const isMadeLater = (value: unknown): boolean =>
  typeof value === "string" && value.includes(madeLater);

/** What AWS adds to a resource. */
function made(type: string, logical: string, inputs: Inputs): Inputs {
  const name = typeof inputs.name === "string" ? inputs.name : logical;
  const arn = (service: string, rest: string) =>
    `arn:aws:${service}:${region}:${accountId}:${rest}`;
  switch (type) {
    case "aws:acm/certificate:Certificate":
      return {
        arn: arn("acm", "certificate/0123-4567"),
        domainValidationOptions: [
          {
            resourceRecordType: "CNAME",
            resourceRecordName: `_0123.${inputs.domainName}`,
            resourceRecordValue: "_4567.acm-validations.aws",
          },
        ],
      };
    case "aws:apigatewayv2/domainName:DomainName": {
      const target = { targetDomainName: "d-0123.example.com", hostedZoneId: "Z0123456789" };
      return {
        domainNameConfiguration: { ...Object(inputs.domainNameConfiguration), ...target },
      };
    }
    case "aws:cloudfront/function:Function":
      return { arn: `arn:aws:cloudfront::${accountId}:function/${name}` };
    case "aws:cloudfront/keyValueStore:KeyValueStore": {
      const id = "01234567-89ab-cdef-0123-456789abcdef";
      return { arn: `arn:aws:cloudfront::${accountId}:key-value-store/${id}` };
    }
    case "aws:cloudfront/distribution:Distribution":
      return { domainName: "d0123456789.cloudfront.net", hostedZoneId: "Z2FDTNDATAQYW2" };
    // SST's look-up of the zone of a name.
    case "pulumi-nodejs:dynamic:Resource":
      return { zoneId: "Z0123456789" };
    case "aws:dynamodb/table:Table":
      return {
        arn: arn("dynamodb", `table/${name}`),
        streamArn: arn("dynamodb", `table/${name}/stream/2026-01-01T00:00:00.000`),
      };
    case "aws:lambda/function:Function": {
      const own = arn("lambda", `function:${name}`);
      return { name, arn: own, qualifiedArn: `${own}:1`, invokeArn: `invoke:${own}` };
    }
    case "aws:sfn/stateMachine:StateMachine": {
      const own = arn("states", `stateMachine:${name}`);
      return { arn: own, stateMachineVersionArn: `${own}:1` };
    }
    case "aws:cloudwatch/logGroup:LogGroup":
      return { name, arn: arn("logs", `log-group:${name}`) };
    case "aws:sqs/queue:Queue":
      return { name, arn: arn("sqs", name), url: `https://sqs.${region}.amazonaws.com/${name}` };
    case "aws:cloudwatch/eventBus:EventBus":
      return { name, arn: arn("events", `event-bus/${name}`) };
    case "aws:cloudwatch/eventRule:EventRule":
      return { name, arn: arn("events", `rule/${name}`) };
    case "aws:cloudwatch/eventConnection:EventConnection":
      return { name, arn: arn("events", `connection/${name}/0123-4567`) };
    case "aws:cloudwatch/eventApiDestination:EventApiDestination":
      return { name, arn: arn("events", `api-destination/${name}/0123-4567`) };
    case "aws:iam/role:Role":
      return { name, arn: `arn:aws:iam::${accountId}:role/${name}` };
    case "aws:kms/key:Key":
      return { keyId: "key-1", arn: arn("kms", "key/key-1") };
    case "aws:ec2/vpcEndpoint:VpcEndpoint":
      return { dnsEntries: [{ dnsName: `${logical}.vpce.example.com`, hostedZoneId: "Z" }] };
    case "aws:apigatewayv2/api:Api":
      return { apiEndpoint: "https://api.example.com", executionArn: arn("execute-api", "api") };
    case "random:index/randomBytes:RandomBytes":
      return { base64: Buffer.alloc(32).toString("base64"), hex: "00".repeat(32) };
    default:
      return { name, arn: arn(type.split(":")[1]?.split("/")[0] ?? "mock", logical) };
  }
}

/** Pulumi wraps secrets and assets in objects that carry this signature. */
const signature = "4dabf18193072939515e22adb298388d";

function unsealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unsealed);
  if (typeof value !== "object" || value === null) return value;
  if (signature in value && "value" in value) return unsealed(value.value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unsealed(each)]));
}
