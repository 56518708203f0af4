import * as z from "zod";
import { reachFault } from "../../kernel/input/address.ts";
import { isImageReference, registryOf } from "../../kernel/input/image-reference.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import { sshPublicKeySchema } from "../../kernel/input/ssh-key.ts";
import { neverAnswered } from "../../kernel/input/text.ts";
import { urlSchema } from "../../kernel/input/url.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import {
  attachmentInputSchema,
  parametersInputSchema,
  placementInputSchema,
} from "../cluster-template/order-input.ts";

/** The input of an order for a server. */

/** The source of an image: a container registry, a URL, or, instead of an image, an iPXE script at a URL. */
const imageSources = ["registry", "url", "ipxe"] as const;

/** An image in the API's answers. */
export const imageShownSchema = z.strictObject({
  source_type: z
    .enum(imageSources)
    .describe(
      "`registry`: an image in a container registry; `url`: a disk image; `ipxe`: a boot script instead of an image.",
    ),
  source_ref: z
    .string()
    .min(1)
    .max(2048)
    .describe(
      "The address: for `registry`, such as `quay.io/images/rhel:9`; for `url` and `ipxe`, an https URL without a user.",
    ),
  phone_home: z
    .boolean()
    .optional()
    .describe(
      "For `ipxe` only. `true`: the booted system reads its seed at iPXE's `seed-url`, as cloud-init does, and the server is running once the system reports. `false`: it is running once it has requested its boot script.",
    ),
});

const noReference =
  "must be an image in a registry, such as quay.io/images/rhel:9, without a scheme";
const noHttpsUrl = "must be an https URL, such as https://images.example.com/rhel-9.raw";
const httpsUrl = urlSchema(/^https$/, noHttpsUrl).superRefine((url, context) => {
  const message = reachFault(url);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

type Address = Pick<z.output<typeof imageShownSchema>, "source_type" | "source_ref">;

/** The faults in an image's address, which depend on its source. */
function addressFaults({ source_type, source_ref }: Address): string[] {
  if (source_type === "registry") {
    if (!isImageReference(source_ref)) return [noReference];
    const registry = registryOf(source_ref);
    return [registry === undefined ? undefined : reachFault(`https://${registry}`)].flatMap(
      (fault) => fault ?? [],
    );
  }
  const { error } = httpsUrl.safeParse(source_ref);
  return error?.issues.map(({ message }) => message) ?? [];
}

/** Why an address fits no source; undefined if it fits one. */
export const addressFault = (source_ref: string): string | undefined =>
  imageSources.every((source_type) => addressFaults({ source_type, source_ref }).length > 0)
    ? `${noReference}, or ${noHttpsUrl.replace("must be ", "")}`
    : undefined;

export const imageSchema = imageShownSchema.superRefine((image, context) => {
  for (const message of addressFaults(image))
    context.addIssue({ code: "custom", path: ["source_ref"], message });
});
export type InstanceImage = z.infer<typeof imageSchema>;

/** An image in the form of OSAC's clients. */
export const osacImage = ({ phone_home: _, ...image }: InstanceImage) => image;

export const runStrategies = [
  "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS",
  "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED",
] as const;

export type RunStrategy = (typeof runStrategies)[number];

/** The same limit as in OSAC and in cloud-init's own services. */
const userDataLimit = 65_536;

/** The limit of networks for one server. */
const attachmentLimit = 8;

const instanceAttachmentSchema = attachmentInputSchema.extend({
  interface: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .describe("Name of the network port; required with more than one attachment."),
  primary: z
    .boolean()
    .optional()
    .describe("Whether it has the default route; exactly one of several attachments does."),
});

const instanceSpecInputSchema = z.strictObject({
  catalog_item: referenceInputSchema.optional().describe("The offer; required."),
  template_parameters: parametersInputSchema
    .optional()
    .describe("Values of the template's parameters, by name. Answers show them: no secrets."),
  image: imageSchema.optional().describe("The image to boot; the template's by default."),
  ssh_public_key: sshPublicKeySchema
    .optional()
    .describe("OpenSSH public key for login; this or `user_data` is required."),
  user_data: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= userDataLimit, {
      error: `must not have more than ${userDataLimit} bytes`,
    })
    .optional()
    .describe(
      "Input for cloud-init at the first start: cloud-config, a script, MIME parts, or one of these as gzip in base64. Without `ssh_public_key`, it must start with a header that cloud-init knows. Never answered.",
    )
    .meta(neverAnswered),
  run_strategy: z
    .enum(runStrategies)
    .optional()
    .describe("Whether the server should run; it does by default."),
  restart_trigger: z.int().optional().describe("Any number; a new value restarts the server once."),
  network_attachments: z
    .array(instanceAttachmentSchema)
    .max(attachmentLimit)
    .optional()
    .describe(
      "The server's networks. They can be changed later: all together, in a separate request.",
    ),
  auto_external_ip_attachment: z
    .boolean()
    .optional()
    .describe("Whether it gets an external IP, created and deleted with it."),
  placement: placementInputSchema
    .optional()
    .describe("Placement constraints: region, labels of hubs."),
});
export type InstanceSpecInput = z.output<typeof instanceSpecInputSchema>;

export const instanceInputSchema = inputSchema(instanceSpecInputSchema);
export type InstanceInput = z.output<typeof instanceInputSchema>;
