import type { StoredObject } from "../../kernel/object/object.ts";
import type { Parameter } from "../cluster-template/parameter.ts";
import type { InstanceImage } from "./order-input.ts";

/**
 * A template for orders of servers: type, image and parameters. Its wire form has no `spec` member,
 * like OSAC's.
 */
export interface InstanceTemplateSpec {
  title?: string;
  description?: string;
  parameters: Parameter[];
  /** Name of the instance type. */
  host_type: string;
  /** The image for orders without one. */
  image?: InstanceImage;
}

export type BaremetalInstanceTemplate = StoredObject<
  "baremetal_instance_template",
  InstanceTemplateSpec,
  Record<string, never>
>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    baremetal_instance_template: BaremetalInstanceTemplate;
  }
}
