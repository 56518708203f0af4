import { randomBytes } from "node:crypto";
import { proofHeader, viewerHeader } from "../../functions/api/source.ts";
import type { Stage } from "./stage.ts";

/** How the API knows whose a request is that came by the console's CloudFront. */

/**
 * A secret that only CloudFront and the API have; drawn once, since a new one would be known to one of them first.
 * Undefined for a stage without a console.
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

/** The secret, as CloudFront sends it to the API. */
export const provenBy = (proof: $util.Output<string>) => ({ name: proofHeader, value: proof });

/** CloudFront's function that tells the API the address of a browser, whatever the browser says itself. */
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
