import * as z from "zod";
import { hostFault, machineFault } from "../../kernel/input/address.ts";
import { lineSchema, neverAnswered } from "../../kernel/input/text.ts";
import { userRefusal, withoutUser } from "../../kernel/input/url.ts";
import { withSlashes } from "../../ports/bare-metal/redfish/address.ts";

/** The management controller (BMC) of a host or a DPU, in records and in requests. */

/** The address of a server: at its BMC, such as redfish://10.0.0.1/redfish/v1/Systems/1, or at a service. */
export const bmcAddressSchema = lineSchema(2048)
  .refine(withoutUser, userRefusal)
  .superRefine(withPlainHost);

/**
 * The address of a controller that Slipway does not manage may be any text, except a URL or number that
 * programs read in different ways.
 */
function withPlainHost(text: string, context: z.RefinementCtx): void {
  const address = withSlashes(text);
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(address);
  const isNumber = /^[0-9a-fx.]*\d$/i.test(address);
  const url = isUrl ? address : isNumber ? `any://${address}` : undefined;
  const message = url === undefined ? undefined : (hostFault(url) ?? machineFault(url));
  if (message !== undefined) context.addIssue({ code: "custom", message });
}

export const bmcSchema = z
  .strictObject({
    address: bmcAddressSchema.describe(
      "Redfish URL of the controller, or the server as a service knows it.",
    ),
    certificate: z
      .string()
      .regex(
        /^([0-9a-f]{2}:){31}[0-9a-f]{2}$/,
        "must be a SHA-256 fingerprint in lowercase, such as 0a:1b:…",
      )
      .optional()
      .describe(
        "SHA-256 fingerprint of a certificate that no authority has signed; only this one is accepted.",
      ),
    authentication: z
      .enum(["basic", "session"])
      .optional()
      .describe(
        "How Slipway logs in: `basic`, the default, sends user and password with each request; `session` is for controllers that refuse that.",
      ),
    /** Reference into the secret store: JSON by `bmcSecretSchema`. */
    credentials: z.string().min(1).max(512).optional(),
  })
  .describe("Its management controller.");
export type Bmc = z.infer<typeof bmcSchema>;

/** The credentials of a controller. */
export const bmcSecretSchema = z.object({ username: z.string(), password: z.string() });

/** A controller in a request; the descriptions depend on whether a host or a DPU has it. */
export const bmcInputSchema = (says: { address: string; username: string }) =>
  z
    .strictObject({
      address: bmcAddressSchema.describe(says.address),
      certificate: bmcSchema.shape.certificate,
      authentication: bmcSchema.shape.authentication,
      username: z.string().min(1).max(255).optional().describe(says.username),
      password: z
        .string()
        .min(1)
        .max(1024)
        .optional()
        .describe("The user's password. Never answered.")
        .meta(neverAnswered),
    })
    .describe("Its management controller.");

/** A controller in the API's answers. */
export const bmcShownSchema = z
  .object({
    address: z.string().describe("Redfish URL of the controller."),
    certificate: bmcSchema.shape.certificate,
    authentication: bmcSchema.shape.authentication,
  })
  .describe("Its management controller; the credentials are never answered.");

/** The spec in the API's answers, without the credentials of the controller. */
export const specShown = <Spec extends { bmc: Bmc }>({
  spec: {
    bmc: { credentials: _, ...bmc },
    ...spec
  },
}: {
  spec: Spec;
}) => ({ ...spec, bmc });
