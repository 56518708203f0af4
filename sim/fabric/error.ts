import * as z from "zod";

/** A refusal with Neutron's message; the error's class determines the status. */
export class NeutronFault extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

export const notFound = (type: string, message: string) => new NeutronFault(404, type, message);
export const conflict = (type: string, message: string) => new NeutronFault(409, type, message);

export const invalidInput = (text: string) =>
  new NeutronFault(400, "InvalidInput", `Invalid input for operation: ${text}.`);

export const badRouterRequest = (text: string) =>
  new NeutronFault(400, "BadRequest", `Bad router request: ${text}.`);

export const badRequest = (message: string) => new NeutronFault(400, "HTTPBadRequest", message);

export const overQuota = (resource: string) =>
  conflict("OverQuota", `Quota exceeded for resources: ['${resource}'].`);

export const addressTaken = (subnet: string, address: string) =>
  conflict(
    "IpAddressAlreadyAllocated",
    `IP address ${address} already allocated in subnet ${subnet}`,
  );

export const noAddressLeft = (network: string) =>
  conflict("IpAddressGenerationFailure", `No more IP addresses available on network ${network}.`);

export const internalError = () =>
  new NeutronFault(
    500,
    "HTTPInternalServerError",
    "Request Failed: internal server error while processing your request.",
  );

/** The object in a parsed body, unchanged. */
export const inputOf = (name: string, body: unknown): object =>
  z.record(z.string(), z.record(z.string(), z.unknown())).safeParse(body).data?.[name] ?? {};

/** Parses `{<name>: {…}}` from a request body. Throws Neutron's refusal when it is invalid. */
export function parseBody<T>(name: string, schema: z.ZodType<T>, body: unknown): T {
  const outer = z.record(z.string(), z.unknown()).safeParse(body).data;
  if (!outer || !(name in outer)) {
    throw badRequest(`Invalid Body: Unable to find '${name}' in request body`);
  }
  return parseInput(schema, outer[name]);
}

export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  if (issue?.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => (path ? `${path}.${key}` : key));
    throw badRequest(`Unrecognized attribute(s) '${keys.join(", ")}'`);
  }
  const isMissing = issue?.code === "invalid_type" && issue.message.includes("received undefined");
  if (isMissing) {
    throw badRequest(`Failed to parse request. Required attribute '${path}' not specified`);
  }
  throw badRequest(`Invalid input for ${path}. Reason: ${issue?.message}.`);
}

export function faultResponse({ status, type, message }: NeutronFault): Response {
  return Response.json({ NeutronError: { type, message, detail: "" } }, { status });
}
