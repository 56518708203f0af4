import * as z from "zod";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import {
  type CatalogItemInput,
  catalogItemInputMembers,
  offered,
} from "../cluster-catalog-item/offer/item-rules.ts";
import { catalogItemMembers } from "../cluster-catalog-item/offer/item-wire.ts";
import { instanceOfferable } from "./offerable.ts";

const schema = z.object(catalogItemMembers);
const inputSchema = z.strictObject(catalogItemInputMembers);

const rules: Definition<"baremetal_instance_catalog_item", CatalogItemInput> = {
  kind: "baremetal_instance_catalog_item",
  schema: inputSchema,
  tenant: "caller",
  build: async (request) => ({
    spec: await offered(request, "baremetal_instance_template", instanceOfferable),
    status: {},
  }),
};

export const api = {
  schema,
  rules,
  offered: [{ path: "published", filter: "this.published" }],
  ignored: ["include_unpublished"],
} satisfies ApiOf<"baremetal_instance_catalog_item">;
