import { isObject } from "../../kernel/input/shape.ts";
import { addressFault, instanceInputSchema } from "../baremetal-instance-template/order-input.ts";
import type { Offerable } from "../cluster-catalog-item/offer/item.ts";

const known =
  /^(ssh_public_key|user_data|run_strategy|image(\.(source_type|source_ref|phone_home))?|network_attachments|auto_external_ip_attachment|placement(\.(region|labels))?|template_parameters(\.[A-Za-z_][A-Za-z0-9_-]{0,62})?)$/;

/** Paths of values; higher members only contain values. */
const leaf =
  /^(ssh_public_key|user_data|run_strategy|restart_trigger|image\.[^.]+|network_attachments|auto_external_ip_attachment|placement\.(region|labels)|template_parameters\.[^.]+)$/;

/** The fields that offers can set in orders for servers. */
export const instanceOfferable: Offerable = {
  what: "a server",
  isKnown: (path) => known.test(path),
  isLeaf: (path) => leaf.test(path),
  // A server does not need these fields, or has another value for them.
  isOptional: (path) => !path.startsWith("template_parameters"),
  // Everybody who gets the offer can read it.
  isSecret: (path) => path === "user_data",
  needs: {
    "image.source_type": ["image.source_ref"],
    "image.source_ref": ["image.source_type"],
    "image.phone_home": ["image.source_type", "image.source_ref"],
  },
  faults: ({ image }) => {
    if (!isObject(image)) return [];
    const { source_type: source, source_ref: address } = image;
    // If there is a source, the schema checks the address.
    const message =
      source === undefined && typeof address === "string" ? addressFault(address) : undefined;
    return message === undefined ? [] : [{ field: "image.source_ref", message }];
  },
  schema: () => instanceInputSchema.shape.spec,
};
