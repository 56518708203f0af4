import type { APIGatewayProxyEventV2, APIGatewayRequestAuthorizerEventV2 } from "aws-lambda";
import type { LambdaEvent } from "hono/aws-lambda";

/**
 * Events of API Gateway's HTTP APIs, payload format 2.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */

export interface Asked {
  method?: string;
  path: string;
  /** As it was sent: encoded, with names that come several times. */
  query?: string;
  /** What is sent several times under one name comes joined by commas, and every name in small letters. */
  headers?: Record<string, string | string[]>;
  cookies?: string[];
  /** Bytes come in base64: what has no type of text, and also JSON when the client asks for it so. */
  body?: string | Buffer;
  authorizer?: Authorizer;
  routeKey?: string;
}

/**
 * What an authorizer has found out: the JWT authorizer's claims, or what our own function answered.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 */
type Authorizer = { jwt: { claims: Record<string, string>; scopes: null } } | { lambda: object };

const apiId = "r3pmxmplak";
const domainName = `${apiId}.execute-api.us-east-1.amazonaws.com`;

/** Hono's type of it has an authorizer always, which the gateway leaves out where there is none. */
export type GatewayEvent = APIGatewayProxyEventV2 & LambdaEvent;

export function gatewayEvent(asked: Asked): GatewayEvent {
  const { method = "GET", path, query = "", cookies, body, authorizer } = asked;
  const { routeKey = "ANY /api/{proxy+}" } = asked;
  const isBase64Encoded = typeof body === "object";
  return {
    version: "2.0",
    routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookies && { cookies }),
    headers: headersOf(asked),
    ...(query !== "" && { queryStringParameters: parametersOf(query) }),
    requestContext: {
      accountId: "123456789012",
      apiId,
      ...(authorizer && { authorizer }),
      domainName,
      domainPrefix: apiId,
      http: {
        method,
        path,
        protocol: "HTTP/1.1",
        sourceIp: "205.255.255.176",
        userAgent: "curl/8.5.0",
      },
      requestId: "JKJaXmPLvHcESHA=",
      routeKey,
      stage: "$default",
      time: "10/Mar/2026:05:16:23 +0000",
      timeEpoch: 1_773_119_783_000,
    },
    pathParameters: { proxy: path.replace("/api/", "") },
    ...(body !== undefined && { body: isBase64Encoded ? body.toString("base64") : body }),
    isBase64Encoded,
  } satisfies APIGatewayProxyEventV2 as unknown as GatewayEvent;
}

function headersOf({ headers = {}, body }: Asked): Record<string, string> {
  const sent = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    Array.isArray(value) ? value.join(",") : value,
  ]);
  return {
    accept: "*/*",
    "content-length": String(Buffer.byteLength(body ?? "")),
    host: domainName,
    "user-agent": "curl/8.5.0",
    "x-amzn-trace-id": "Root=1-5e6722a7-cc56xmpl46db7ae02d4da47e",
    "x-forwarded-for": "205.255.255.176",
    "x-forwarded-port": "443",
    "x-forwarded-proto": "https",
    ...Object.fromEntries(sent),
  };
}

function parametersOf(query: string): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query))
    parameters[name] = name in parameters ? `${parameters[name]},${value}` : value;
  return parameters;
}

/**
 * A request with a token that the JWT authorizer has verified. Of the claims it passes on text alone:
 * Go's for whatever is no text (https://github.com/aws/aws-lambda-go/issues/570), nothing for null.
 */
export const verifiedEvent = (claims: object, asked: Asked): GatewayEvent =>
  gatewayEvent({
    ...asked,
    headers: { ...asked.headers, Authorization: `Bearer ${tokenOf(claims)}` },
    authorizer: { jwt: { claims: passedOn(claims), scopes: null } },
  });

export const passedOn = (claims: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(claims).flatMap(([name, claim]) =>
      claim === null ? [] : [[name, textOf(claim)]],
    ),
  );

function textOf(claim: unknown): string {
  if (Array.isArray(claim)) return `[${claim.map(textOf).join(" ")}]`;
  if (typeof claim !== "object" || claim === null) return String(claim);
  const members = Object.entries(claim).map(([name, value]) => `${name}:${textOf(value)}`);
  return `map[${members.join(" ")}]`;
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** Signed by nobody: whoever reads it trusts the gateway. */
export const tokenOf = (claims: object): string =>
  `${encoded({ alg: "RS256", kid: "1" })}.${encoded(claims)}.c2ln`;

/**
 * What a Lambda authorizer is asked, format 2.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 */
export function authorizerEvent(header: string, path: string): APIGatewayRequestAuthorizerEventV2 {
  const event = gatewayEvent({ path, headers: { Authorization: header } });
  return {
    version: "2.0",
    type: "REQUEST",
    routeArn: `arn:aws:execute-api:us-east-1:123456789012:${apiId}/$default/GET${path}`,
    identitySource: [header],
    routeKey: event.routeKey,
    rawPath: path,
    rawQueryString: "",
    cookies: [],
    headers: headersOf({ path, headers: { Authorization: header } }),
    requestContext: event.requestContext,
    pathParameters: {},
  };
}
