import * as z from "zod";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { type CatalogItemInput, catalogItemInputMembers, offered } from "./offer/item-rules.ts";
import { catalogItemMembers } from "./offer/item-wire.ts";
import { clusterOfferable } from "./offerable.ts";

const schema = z.object(catalogItemMembers);
const inputSchema = z.strictObject(catalogItemInputMembers);

const rules: Definition<"cluster_catalog_item", CatalogItemInput> = {
  kind: "cluster_catalog_item",
  schema: inputSchema,
  tenant: "caller",
  build: async (request) => ({
    spec: await offered(request, "cluster_template", clusterOfferable),
    status: {},
  }),
};

export const api = {
  schema,
  rules,
  offered: [{ path: "published", filter: "this.published" }],
  ignored: ["include_unpublished"],
} satisfies ApiOf<"cluster_catalog_item">;
