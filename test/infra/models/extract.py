"""Takes from botocore's service models what `constraints.json` keeps of them.

    pip install botocore==1.43.11
    python test/infra/models/extract.py

By hand, when a resource needs an operation that is not here or AWS allows more than it did. Tests
and CI read the JSON alone.
"""

import json
from pathlib import Path

import botocore
import botocore.loaders

VERSION = "1.43.11"

# What is called to make what the stack is made of.
OPERATIONS = {
    "acm": ["DescribeCertificate", "RequestCertificate"],
    "apigatewayv2": [
        "CreateApi",
        "CreateApiMapping",
        "CreateAuthorizer",
        "CreateDomainName",
        "CreateIntegration",
        "CreateRoute",
        "CreateStage",
    ],
    "cloudfront": [
        "CreateCachePolicy",
        "CreateDistribution",
        "CreateFunction",
        "CreateKeyValueStore",
        "CreateResponseHeadersPolicy",
    ],
    "cloudwatch": ["PutDashboard", "PutMetricAlarm"],
    "dynamodb": ["CreateTable", "UpdateContinuousBackups", "UpdateTimeToLive"],
    "ec2": [
        "AssociateRouteTable",
        "AuthorizeSecurityGroupEgress",
        "AuthorizeSecurityGroupIngress",
        "CreateRouteTable",
        "CreateSecurityGroup",
        "CreateSubnet",
        "CreateVpc",
        "CreateVpcEndpoint",
        "ModifyVpcAttribute",
    ],
    "elbv2": ["CreateListener", "CreateLoadBalancer", "CreateTargetGroup", "RegisterTargets"],
    "events": [
        "CreateApiDestination",
        "CreateArchive",
        "CreateConnection",
        "CreateEventBus",
        "PutPermission",
        "PutRule",
        "PutTargets",
    ],
    "iam": ["AttachRolePolicy", "CreateRole", "PutRolePolicy"],
    "kms": ["CreateAlias", "CreateKey"],
    "lambda": [
        "AddPermission",
        "CreateEventSourceMapping",
        "CreateFunction",
        "PutFunctionConcurrency",
        "PutFunctionEventInvokeConfig",
    ],
    "logs": ["CreateLogGroup", "PutRetentionPolicy"],
    "route53": ["ChangeResourceRecordSets"],
    "s3": ["CreateBucket", "PutBucketPolicy", "PutObject", "PutPublicAccessBlock"],
    "scheduler": ["CreateSchedule"],
    "schemas": ["CreateRegistry", "CreateSchema"],
    "sns": ["CreateTopic", "SetTopicAttributes", "Subscribe"],
    "sqs": ["CreateQueue", "SetQueueAttributes"],
    "ssm": ["PutParameter"],
    "stepfunctions": ["CreateStateMachine", "CreateStateMachineAlias"],
}

# The prefix that actions in policies have, and the models whose operations they name.
PREFIXES = {
    "appsync": ["appsync"],
    "dynamodb": ["dynamodb", "dynamodbstreams"],
    "ec2": ["ec2"],
    "events": ["events"],
    "kms": ["kms"],
    "lambda": ["lambda"],
    "logs": ["logs"],
    "route53": ["route53"],
    "s3": ["s3"],
    "secretsmanager": ["secretsmanager"],
    "sns": ["sns"],
    "sqs": ["sqs"],
    "states": ["stepfunctions"],
    "sts": ["sts"],
    "xray": ["xray"],
}

# Members that lead to whole services of their own, of which the stack uses nothing.
UNUSED = {
    "events.Target": {
        "AppSyncParameters",
        "BatchParameters",
        "EcsParameters",
        "HttpParameters",
        "KinesisParameters",
        "RedshiftDataParameters",
        "RunCommandParameters",
        "SageMakerPipelineParameters",
        "SqsParameters",
    },
    "scheduler.Target": {
        "EcsParameters",
        "EventBridgeParameters",
        "KinesisParameters",
        "SageMakerPipelineParameters",
        "SqsParameters",
    },
}

loader = botocore.loaders.create_loader()


def model(service):
    return loader.load_service_model(service, "service-2")


def constraints(service, shape, shapes):
    """A shape without its documentation; what it leads to is added to `shapes`."""
    kind = shape["type"]
    kept = {key: shape[key] for key in ("min", "max", "pattern", "enum") if key in shape}
    if kind == "structure":
        left_out = UNUSED.get(f"{service}.{shape['name']}", set())
        members = {
            name: member["shape"]
            for name, member in shape["members"].items()
            if name not in left_out
        }
        if shape.get("required"):
            kept["required"] = shape["required"]
        return {"type": kind, **kept, "members": {k: reach(service, v, shapes) for k, v in members.items()}}
    if kind == "list":
        return {"type": kind, **kept, "member": reach(service, shape["member"]["shape"], shapes)}
    if kind == "map":
        return {
            "type": kind,
            **kept,
            "key": reach(service, shape["key"]["shape"], shapes),
            "value": reach(service, shape["value"]["shape"], shapes),
        }
    return {"type": kind, **kept}


def reach(service, name, shapes):
    """The name under which a shape is kept; its type where nothing else is said of it."""
    shape = {"name": name, **models[service]["shapes"][name]}
    if name in shapes:
        return name
    if shape["type"] not in ("structure", "list", "map"):
        found = constraints(service, shape, shapes)
        if len(found) == 1:
            return found["type"]
        shapes[name] = found
        return name
    shapes[name] = None  # A shape may lead to itself.
    shapes[name] = constraints(service, shape, shapes)
    return name


if botocore.__version__ != VERSION:
    raise SystemExit(f"botocore {VERSION} is wanted, {botocore.__version__} is here")

models = {service: model(service) for service in OPERATIONS}
services = {}
for service, operations in OPERATIONS.items():
    shapes = {}
    inputs = {
        operation: reach(service, models[service]["operations"][operation]["input"]["shape"], shapes)
        for operation in operations
    }
    services[service] = {
        "apiVersion": models[service]["metadata"]["apiVersion"],
        "operations": inputs,
        "shapes": dict(sorted(shapes.items())),
    }

actions = {
    prefix: sorted({name for service in found for name in model(service)["operations"]})
    for prefix, found in PREFIXES.items()
}


def line(value):
    return json.dumps(value, ensure_ascii=False)


out = Path(__file__).parent / "generated" / "constraints.json"
with out.open("w") as file:
    source = {
        "package": "botocore",
        "version": VERSION,
        "license": "Apache-2.0",
        "copyright": "Amazon.com, Inc. or its affiliates",
        "url": "https://github.com/boto/botocore",
        "changes": "input shapes of the operations that are named, without documentation; names of operations",
    }
    file.write('{\n"source": ' + line(source) + ',\n"services": {\n')
    blocks = []
    for service, found in services.items():
        shapes = ",\n".join(f"{line(name)}: {line(shape)}" for name, shape in found["shapes"].items())
        blocks.append(
            f'{line(service)}: {{\n"apiVersion": {line(found["apiVersion"])},\n'
            f'"operations": {line(found["operations"])},\n"shapes": {{\n{shapes}\n}}}}'
        )
    file.write(",\n".join(blocks) + "\n},\n")
    lists = ",\n".join(f"{line(prefix)}: {line(' '.join(names))}" for prefix, names in actions.items())
    file.write(f'"actions": {{\n{lists}\n}}\n}}\n')
print(out, out.stat().st_size, "bytes")
