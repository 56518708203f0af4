import type { ALBEvent } from "aws-lambda";

/**
 * What a load balancer asks a function.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-alb.html
 */
export const balancerEvent = (path: string): ALBEvent => ({
  requestContext: {
    elb: {
      targetGroupArn:
        "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/machines/49e9d65c45c6791a",
    },
  },
  httpMethod: "GET",
  path,
  queryStringParameters: {},
  headers: {
    host: "internal-machines-1234567890.us-east-1.elb.amazonaws.com",
    "user-agent": "iPXE/1.21.1",
    "x-amzn-trace-id": "Root=1-5c536348-3d683b8b04734faae651f476",
    "x-forwarded-for": "10.8.0.17",
    "x-forwarded-port": "80",
    "x-forwarded-proto": "http",
  },
  body: "",
  isBase64Encoded: false,
});
