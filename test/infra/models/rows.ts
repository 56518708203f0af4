import type { Inputs } from "../../support/pulumi-mocks.ts";
import type { Row } from "./calls.ts";

const tags = { tags: "tags name things for people" };

/** A rule of a security group. */
const permission = {
  protocol: "IpPermissions.IpProtocol",
  fromPort: "IpPermissions.FromPort",
  toPort: "IpPermissions.ToPort",
  cidrBlocks: (blocks: string[]) => ({
    IpPermissions: [{ IpRanges: blocks.map((CidrIp) => ({ CidrIp })) }],
  }),
  securityGroups: (groups: string[]) => ({
    IpPermissions: [{ UserIdGroupPairs: groups.map((GroupId) => ({ GroupId })) }],
  }),
};

const keys = (hash: string, { rangeKey }: { rangeKey?: string }): Inputs => ({
  KeySchema: [
    { AttributeName: hash, KeyType: "HASH" },
    ...(rangeKey === undefined ? [] : [{ AttributeName: rangeKey, KeyType: "RANGE" }]),
  ],
});

const recordSet = "ChangeBatch.Changes.ResourceRecordSet";
const recordSetOf = (set: Inputs): Inputs => ({
  ChangeBatch: { Changes: [{ ResourceRecordSet: set }] },
});

/** Puts arguments, which have the names of members, into the one member that holds all of them. */
const inside = (member: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => [name, `${member}.${name[0]?.toUpperCase()}${name.slice(1)}`]),
  );

const cachedMethods = "AllowedMethods.CachedMethods";

/** Every type of AWS's that is in a stack: the calls that make it, and what they name otherwise. */
const rows = {
  "aws:acm/certificate:Certificate": {
    calls: ["acm:RequestCertificate"],
    members: {
      subjectAlternativeNames: (names: string[]): Inputs =>
        names.length === 0 ? {} : { SubjectAlternativeNames: names },
    },
  },
  "aws:acm/certificateValidation:CertificateValidation": { calls: ["acm:DescribeCertificate"] },
  "aws:apigatewayv2/api:Api": { calls: ["apigatewayv2:CreateApi"] },
  "aws:apigatewayv2/apiMapping:ApiMapping": { calls: ["apigatewayv2:CreateApiMapping"] },
  "aws:apigatewayv2/authorizer:Authorizer": { calls: ["apigatewayv2:CreateAuthorizer"] },
  "aws:apigatewayv2/domainName:DomainName": { calls: ["apigatewayv2:CreateDomainName"] },
  "aws:apigatewayv2/integration:Integration": { calls: ["apigatewayv2:CreateIntegration"] },
  "aws:apigatewayv2/route:Route": { calls: ["apigatewayv2:CreateRoute"] },
  "aws:apigatewayv2/stage:Stage": {
    calls: ["apigatewayv2:CreateStage"],
    members: { name: "StageName" },
  },
  "aws:cloudfront/cachePolicy:CachePolicy": {
    calls: ["cloudfront:CreateCachePolicy"],
    members: {
      ...inside("CachePolicyConfig", ["comment", "parametersInCacheKeyAndForwardedToOrigin"]),
      defaultTtl: "CachePolicyConfig.DefaultTTL",
      maxTtl: "CachePolicyConfig.MaxTTL",
      minTtl: "CachePolicyConfig.MinTTL",
    },
    filled: [
      "CachePolicyConfig.Name",
      "CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin.HeadersConfig.Headers.Quantity",
    ],
  },
  "aws:cloudfront/distribution:Distribution": {
    calls: ["cloudfront:CreateDistribution"],
    members: {
      ...inside("DistributionConfig", ["aliases", "comment", "defaultCacheBehavior", "enabled"]),
      ...inside("DistributionConfig", ["origins", "restrictions", "viewerCertificate"]),
      orderedCacheBehaviors: "DistributionConfig.CacheBehaviors",
      "defaultCacheBehavior.cachedMethods": cachedMethods,
      "orderedCacheBehaviors.cachedMethods": cachedMethods,
      "origins.originId": "Id",
      "origins.customHeaders.name": "HeaderName",
      "origins.customHeaders.value": "HeaderValue",
      "viewerCertificate.cloudfrontDefaultCertificate": "CloudFrontDefaultCertificate",
    },
    leftOut: { ...tags, waitForDeployment: "how long a deploy waits" },
    filled: [
      "DistributionConfig.CallerReference",
      "DistributionConfig.Restrictions.GeoRestriction.Quantity",
    ],
  },
  "aws:cloudfront/function:Function": {
    calls: ["cloudfront:CreateFunction"],
    members: {
      runtime: "FunctionConfig.Runtime",
      code: "FunctionCode",
      comment: "FunctionConfig.Comment",
      keyValueStoreAssociations: (arns: string[]) => ({
        FunctionConfig: {
          KeyValueStoreAssociations: {
            Quantity: arns.length,
            Items: arns.map((KeyValueStoreARN) => ({ KeyValueStoreARN })),
          },
        },
      }),
    },
    filled: ["FunctionConfig.Comment"],
  },
  "aws:cloudfront/keyValueStore:KeyValueStore": { calls: ["cloudfront:CreateKeyValueStore"] },
  "aws:cloudfront/responseHeadersPolicy:ResponseHeadersPolicy": {
    calls: ["cloudfront:CreateResponseHeadersPolicy"],
    members: inside("ResponseHeadersPolicyConfig", ["name", "comment", "securityHeadersConfig"]),
  },
  "aws:cloudwatch/dashboard:Dashboard": { calls: ["cloudwatch:PutDashboard"] },
  "aws:cloudwatch/eventApiDestination:EventApiDestination": {
    calls: ["events:CreateApiDestination"],
  },
  "aws:cloudwatch/eventArchive:EventArchive": {
    calls: ["events:CreateArchive"],
    members: { name: "ArchiveName" },
  },
  "aws:cloudwatch/eventBus:EventBus": { calls: ["events:CreateEventBus"] },
  "aws:cloudwatch/eventBusPolicy:EventBusPolicy": { calls: ["events:PutPermission"] },
  "aws:cloudwatch/eventConnection:EventConnection": {
    calls: ["events:CreateConnection"],
    members: {
      "authParameters.apiKey": "ApiKeyAuthParameters",
      "authParameters.apiKey.key": "ApiKeyName",
      "authParameters.apiKey.value": "ApiKeyValue",
    },
  },
  "aws:cloudwatch/eventRule:EventRule": { calls: ["events:PutRule"] },
  "aws:cloudwatch/eventTarget:EventTarget": {
    calls: ["events:PutTargets"],
    members: {
      arn: "Targets.Arn",
      roleArn: "Targets.RoleArn",
      inputPath: "Targets.InputPath",
      inputTransformer: "Targets.InputTransformer",
      "inputTransformer.inputPaths": "InputPathsMap",
      retryPolicy: "Targets.RetryPolicy",
      deadLetterConfig: "Targets.DeadLetterConfig",
    },
    filled: ["Targets.Id"],
  },
  "aws:cloudwatch/logGroup:LogGroup": {
    calls: ["logs:CreateLogGroup", "logs:PutRetentionPolicy"],
    members: { name: "logGroupName" },
  },
  "aws:cloudwatch/metricAlarm:MetricAlarm": {
    calls: ["cloudwatch:PutMetricAlarm"],
    members: {
      name: "AlarmName",
      dimensions: (dimensions: Inputs) => ({
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      }),
    },
  },
  "aws:dynamodb/table:Table": {
    calls: [
      "dynamodb:CreateTable",
      "dynamodb:UpdateTimeToLive",
      "dynamodb:UpdateContinuousBackups",
    ],
    members: {
      name: "TableName",
      hashKey: keys,
      attributes: "AttributeDefinitions",
      "attributes.name": "AttributeName",
      "attributes.type": "AttributeType",
      "globalSecondaryIndexes.name": "IndexName",
      "globalSecondaryIndexes.hashKey": keys,
      "globalSecondaryIndexes.projectionType": "Projection.ProjectionType",
      streamEnabled: "StreamSpecification.StreamEnabled",
      streamViewType: "StreamSpecification.StreamViewType",
      serverSideEncryption: "SSESpecification",
      "serverSideEncryption.kmsKeyArn": "KMSMasterKeyId",
      ttl: "TimeToLiveSpecification",
      pointInTimeRecovery: "PointInTimeRecoverySpecification",
      "pointInTimeRecovery.enabled": "PointInTimeRecoveryEnabled",
    },
    leftOut: {
      rangeKey: "part of the key's schema, beside hashKey",
      "globalSecondaryIndexes.rangeKey": "part of the key's schema, beside hashKey",
    },
  },
  "aws:ec2/routeTable:RouteTable": { calls: ["ec2:CreateRouteTable"], leftOut: tags },
  "aws:ec2/routeTableAssociation:RouteTableAssociation": { calls: ["ec2:AssociateRouteTable"] },
  "aws:ec2/securityGroup:SecurityGroup": {
    calls: ["ec2:CreateSecurityGroup"],
    members: { name: "GroupName" },
    filled: ["GroupName"],
    each: {
      ingress: { calls: ["ec2:AuthorizeSecurityGroupIngress"], members: permission },
      egress: {
        calls: ["ec2:AuthorizeSecurityGroupEgress"],
        members: permission,
        filled: ["GroupId"],
      },
    },
  },
  "aws:ec2/subnet:Subnet": { calls: ["ec2:CreateSubnet"], leftOut: tags },
  "aws:ec2/vpc:Vpc": {
    calls: ["ec2:CreateVpc", "ec2:ModifyVpcAttribute"],
    members: {
      enableDnsHostnames: "EnableDnsHostnames.Value",
      enableDnsSupport: "EnableDnsSupport.Value",
    },
    leftOut: tags,
    filled: ["VpcId"],
  },
  "aws:ec2/vpcEndpoint:VpcEndpoint": { calls: ["ec2:CreateVpcEndpoint"], leftOut: tags },
  "aws:iam/role:Role": {
    calls: ["iam:CreateRole"],
    members: { name: "RoleName", assumeRolePolicy: "AssumeRolePolicyDocument" },
    each: {
      inlinePolicies: {
        calls: ["iam:PutRolePolicy"],
        members: { name: "PolicyName", policy: "PolicyDocument" },
        filled: ["RoleName"],
      },
      managedPolicyArns: {
        calls: ["iam:AttachRolePolicy"],
        members: { entry: "PolicyArn" },
        filled: ["RoleName"],
      },
    },
  },
  "aws:kms/alias:Alias": { calls: ["kms:CreateAlias"], members: { name: "AliasName" } },
  "aws:kms/key:Key": {
    calls: ["kms:CreateKey"],
    leftOut: { enableKeyRotation: "EnableKeyRotation is told the key alone" },
  },
  "aws:lambda/eventSourceMapping:EventSourceMapping": {
    calls: ["lambda:CreateEventSourceMapping"],
    members: { "destinationConfig.onFailure.destinationArn": "Destination" },
  },
  "aws:lambda/function:Function": {
    calls: ["lambda:CreateFunction", "lambda:PutFunctionConcurrency"],
    members: { name: "FunctionName", s3Bucket: "Code.S3Bucket", s3Key: "Code.S3Key" },
  },
  "aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig": {
    calls: ["lambda:PutFunctionEventInvokeConfig"],
  },
  "aws:lambda/permission:Permission": {
    calls: ["lambda:AddPermission"],
    members: { function: "FunctionName" },
    filled: ["StatementId"],
  },
  "aws:lb/listener:Listener": {
    calls: ["elbv2:CreateListener"],
    members: {
      certificateArn: (arn: string) => ({ Certificates: [{ CertificateArn: arn }] }),
    },
  },
  "aws:lb/loadBalancer:LoadBalancer": {
    calls: ["elbv2:CreateLoadBalancer"],
    members: {
      internal: (is: boolean) => ({ Scheme: is ? "internal" : "internet-facing" }),
      loadBalancerType: "Type",
    },
    filled: ["Name"],
  },
  "aws:lb/targetGroup:TargetGroup": { calls: ["elbv2:CreateTargetGroup"], filled: ["Name"] },
  "aws:lb/targetGroupAttachment:TargetGroupAttachment": {
    calls: ["elbv2:RegisterTargets"],
    members: { targetId: (Id: string) => ({ Targets: [{ Id }] }) },
  },
  "aws:route53/record:Record": {
    calls: ["route53:ChangeResourceRecordSets"],
    members: {
      zoneId: "HostedZoneId",
      name: `${recordSet}.Name`,
      type: `${recordSet}.Type`,
      ttl: `${recordSet}.TTL`,
      records: (values: string[]) =>
        recordSetOf({ ResourceRecords: values.map((Value) => ({ Value })) }),
      aliases: ([target]: [
        Record<"name" | "zoneId", string> & { evaluateTargetHealth: boolean },
      ]) =>
        recordSetOf({
          AliasTarget: {
            DNSName: target.name,
            HostedZoneId: target.zoneId,
            EvaluateTargetHealth: target.evaluateTargetHealth,
          },
        }),
    },
    leftOut: { allowOverwrite: "whether Pulumi takes over a record that is there" },
    filled: ["ChangeBatch.Changes.Action"],
  },
  "aws:s3/bucket:Bucket": {
    calls: ["s3:CreateBucket"],
    leftOut: { forceDestroy: "what Pulumi does before it removes a bucket" },
  },
  "aws:s3/bucketPolicy:BucketPolicy": { calls: ["s3:PutBucketPolicy"] },
  "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": {
    calls: ["s3:PutPublicAccessBlock"],
    members: inside("PublicAccessBlockConfiguration", [
      ...["blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"],
    ]),
  },
  "aws:s3/bucketObjectv2:BucketObjectv2": {
    calls: ["s3:PutObject"],
    leftOut: { source: "the bytes of the bundle, which its own tests weigh" },
  },
  "aws:scheduler/schedule:Schedule": { calls: ["scheduler:CreateSchedule"] },
  "aws:schemas/registry:Registry": {
    calls: ["schemas:CreateRegistry"],
    members: { name: "RegistryName" },
  },
  "aws:schemas/schema:Schema": { calls: ["schemas:CreateSchema"], members: { name: "SchemaName" } },
  "aws:sfn/alias:Alias": { calls: ["stepfunctions:CreateStateMachineAlias"] },
  "aws:sfn/stateMachine:StateMachine": {
    calls: ["stepfunctions:CreateStateMachine"],
    members: {
      "loggingConfiguration.logDestination": "destinations.cloudWatchLogsLogGroup.logGroupArn",
    },
  },
  "aws:sns/topic:Topic": {
    calls: ["sns:CreateTopic"],
    members: { kmsMasterKeyId: "Attributes.KmsMasterKeyId" },
  },
  "aws:sns/topicPolicy:TopicPolicy": {
    calls: ["sns:SetTopicAttributes"],
    members: { arn: "TopicArn", policy: "AttributeValue" },
    filled: ["AttributeName"],
  },
  "aws:sns/topicSubscription:TopicSubscription": {
    calls: ["sns:Subscribe"],
    members: { topic: "TopicArn" },
  },
  "aws:sqs/queue:Queue": {
    calls: ["sqs:CreateQueue"],
    members: {
      name: "QueueName",
      visibilityTimeoutSeconds: "Attributes.VisibilityTimeout",
      messageRetentionSeconds: "Attributes.MessageRetentionPeriod",
      redrivePolicy: "Attributes.RedrivePolicy",
      kmsMasterKeyId: "Attributes.KmsMasterKeyId",
      sqsManagedSseEnabled: "Attributes.SqsManagedSseEnabled",
    },
  },
  "aws:sqs/queuePolicy:QueuePolicy": {
    calls: ["sqs:SetQueueAttributes"],
    members: { policy: "Attributes.Policy" },
  },
  "aws:ssm/parameter:Parameter": { calls: ["ssm:PutParameter"] },
} satisfies Record<string, Row>;

/** The row of a type; undefined of one that nobody has described. */
export const rowOf = (type: string): Row | undefined =>
  (rows as Record<string, Row | undefined>)[type];
