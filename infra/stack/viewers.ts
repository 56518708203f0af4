import { randomBytes } from "node:crypto";
import { proofHeader, viewerHeader } from "../../functions/api/source.ts";
import type { Stage } from "./stage.ts";

/** How the API learns the browser's address for a request through the console's CloudFront. */

/**
 * A secret that only CloudFront and the API know. It is generated once, since a new one would reach one of them
 * before the other. Undefined for a stage without a console.
 */
export function consoleProof({ parameters, prefix, key }: Stage): $util.Output<string> | undefined {
  if (!parameters.console || $dev) return undefined;
  const drawn = new aws.ssm.Parameter(
    "ConsoleProof",
    {
      name: `/${prefix}/console-proof`,
      description: "What CloudFront proves to the API that a request came by the console",
      type: "SecureString",
      value: randomBytes(32).toString("hex"),
      ...(key && { keyId: key.arn }),
    },
    { ignoreChanges: ["value"] },
  );
  return drawn.value;
}

/** The header by which CloudFront sends the secret to the API. */
export const provenBy = (proof: $util.Output<string>) => ({ name: proofHeader, value: proof });

/** CloudFront's function that sends the browser's address to the API, and replaces any that the browser sends. */
export const tellsViewers = ({ prefix }: Stage) =>
  new aws.cloudfront.Function("ConsoleViewers", {
    name: `${prefix}-viewers`,
    comment: "passes the viewer's address to the API",
    runtime: "cloudfront-js-2.0",
    code: `function handler(event) {
  event.request.headers["${viewerHeader}"] = { value: event.viewer.ip };
  return event.request;
}`,
  });
