import { ApiException } from "@kubernetes/client-node";
import * as z from "zod";
import { certificateFault } from "../../certificate-fault.ts";
import { AppError, type ErrorOptions } from "../../error.ts";
import { TooLarge } from "../../http-body.ts";
import { NoAnswer } from "./connection.ts";
import type { ObjectName } from "./kube-object.ts";
import { NotNow } from "./not-now.ts";

/** The Status object of an API server's refusal. */
const statusSchema = z.object({
  message: z.string().optional(),
  reason: z.string().optional(),
  details: z
    .object({
      name: z.string().optional(),
      causes: z.array(z.object({ reason: z.string().optional() })).optional(),
    })
    .optional(),
});
type Status = z.infer<typeof statusSchema>;

/** The HTTP status of a refusal; 404 also if the server does not know the kind. */
export function codeOf(error: unknown): number | undefined {
  if (error instanceof ApiException) return error.code;
  // The client's error when the server serves the group but not the kind.
  const notServed =
    error instanceof Error && error.message.startsWith("Unrecognized API version and kind");
  return notServed ? 404 : undefined;
}

/**
 * Translates the Kubernetes client's error about `what` to Unavailable, Rejected, or Conflict when somebody
 * else wrote first. `system` is the server's name in messages. The server's message about a Secret is
 * dropped, because it may quote the Secret.
 */
export function translate(error: unknown, what: ObjectName | string, system = "the hub"): AppError {
  const name = typeof what === "string" ? what : `${what.kind} ${what.metadata.name}`;
  const secret = typeof what !== "string" && what.kind === "Secret";
  const code = codeOf(error);
  const body = error instanceof ApiException ? String(error.body) : "";
  const options = (detail: string): ErrorOptions =>
    secret ? { detail: name } : { detail: `${name}: ${detail}`, cause: error };
  const unavailable = (message: string, detail = body) =>
    new AppError("Unavailable", message, options(detail));

  if (error instanceof NoAnswer) {
    const more = { ...options(error.message), call: error.call };
    return new AppError("Unavailable", unanswered(error, system), more);
  }
  if (code === undefined) return unavailable(`the answer of ${system} is malformed`, String(error));

  const said = statusOf(body);
  if (code === 401) return unavailable(`${system} does not accept our credentials`);
  const missing = code === 403 ? missingRight(said) : undefined;
  if (missing !== undefined)
    return new NotNow(`${system} does not grant a right: ${missing}`, options(body));
  if (said?.details?.causes?.some((cause) => cause.reason === "NamespaceTerminating"))
    return new NotNow("its namespace is still being removed", options(body));
  const webhook = webhookFault(said, secret);
  if (webhook !== undefined)
    return new NotNow(
      `${system}'s ${webhook}: its administrator has to repair it or its configuration`,
      options(body),
    );
  if (code === 408 || code === 410 || code === 429 || (code >= 500 && !isMisfit(said)))
    return unavailable(`${system} is unavailable now (${code})`);
  if (code === 409)
    return new AppError("Conflict", `${name} is being changed by another client`, options(body));
  if (code === 404 && typeof what !== "string" && said?.details?.name === undefined)
    return new AppError("Rejected", notServed(what, system), options(`${code} ${body}`));
  const message = (!secret && said?.message) || `${system} does not take ${name} (${code})`;
  return new AppError("Rejected", message, options(`${code} ${body}`));
}

/** The reason why there is no answer, in words. */
function unanswered({ cause }: NoAnswer, system: string): string {
  if (cause instanceof TooLarge) return `the answer of ${system} ${cause.message}`;
  const fault = certificateFault(cause, "the CA in its kubeconfig");
  return fault === undefined
    ? `${system} does not answer`
    : `the certificate of ${system} ${fault}`;
}

/** The product that serves the kinds of a group on a hub. */
const servers: Readonly<Record<string, string>> = {
  "hypershift.openshift.io": "HyperShift",
  "certificates.hypershift.openshift.io": "HyperShift",
  "agent-install.openshift.io": "the assisted service",
  "k8s.ovn.org": "OVN-Kubernetes with user-defined networks",
  "metal3.io": "Metal3's operator",
  "metallb.io": "MetalLB",
};

/** The message that a server does not serve a kind, and which product would. */
export function notServed(
  { apiVersion, kind }: Pick<ObjectName, "apiVersion" | "kind">,
  system: string,
): string {
  const server = servers[apiVersion.split("/")[0] ?? ""];
  const cure = server === undefined ? "" : `: install ${server} there, in a version that serves it`;
  return `${system} has no kind ${kind} (${apiVersion})${cure}`;
}

/**
 * The message that a webhook of the server fails, and why; the reason is left out for a Secret, because it
 * may quote the Secret.
 */
function webhookFault({ message = "" }: Status = {}, secret: boolean): string | undefined {
  const [, admission, conversion, why = ""] = webhookWords.exec(message) ?? [];
  const which = admission ? `'${admission}'` : conversion && `that converts ${conversion}`;
  if (!which) return undefined;
  // Go's error texts end with the cause.
  const cause = why.split(": ").at(-1);
  return `webhook ${which} fails${secret ? "" : ` (${cause})`}`;
}

const webhookWords =
  /(?:failed calling webhook "([^"]+)"|conversion webhook for ([^:]+) failed): (.*)$/s;

/**
 * The missing right and the user without it, from the authorizer's message. A server that has just
 * started denies rights until it has loaded the grants, and a missing right can be granted at any
 * time. Admission refusals have other words.
 */
function missingRight({ message = "" }: Status = {}): string | undefined {
  return authorizerWords.exec(message)?.[1];
}

const authorizerWords =
  /^(?:\S+(?: "[^"]*")? is )?forbidden: (User "[^"]*" cannot \S+ (?:path "[^"]*"|resource "[^"]*" in API group "[^"]*" (?:at the cluster scope|in the namespace "[^"]*")))/;

/** An apply with an unknown member or a wrong type, for which servers answer 500. */
function isMisfit({ message = "" }: Status = {}): boolean {
  return message.startsWith("failed to create typed patch object");
}

function statusOf(body: string): Status | undefined {
  try {
    return statusSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
