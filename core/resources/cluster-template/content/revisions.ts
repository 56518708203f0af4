import { AppError } from "../../../error.ts";
import { templateRevisionKey, templateRevisionPartition } from "../../../kernel/object/keys.ts";
import { absent, type Json, type Put, type Store } from "../../../kernel/store/store.ts";
import type { ClusterTemplateSpec } from "../model.ts";

/**
 * Revisions of templates: separate items that never change. They outlive their template, because orders continue with
 * the revision of their acceptance. Only a change creates one, so they are few.
 */

/** The number of the next revision. The numbers continue those of a deleted template with this id. */
export async function nextRevision(store: Store, template: string): Promise<number> {
  const { items } = await store.query({
    pk: templateRevisionPartition(template),
    reverse: true,
    limit: 1,
  });
  return Number(items[0]?.sk ?? 0) + 1;
}

/**
 * The write of a revision, for the transaction that writes the template. It refuses a concurrent change of the
 * template.
 */
export function putRevision(template: string, spec: ClusterTemplateSpec): Put {
  const json: Json = JSON.parse(JSON.stringify(spec));
  return { put: { ...templateRevisionKey(template, spec.revision), spec: json }, if: absent };
}

/** The content of the revision with which an order was accepted. */
export async function loadRevision(
  store: Store,
  order: { spec: { template: { id: string } }; template_revision: number },
): Promise<ClusterTemplateSpec> {
  const { id } = order.spec.template;
  const item = await store.get(templateRevisionKey(id, order.template_revision));
  if (!item)
    throw new AppError("Internal", `template '${id}' has no revision ${order.template_revision}`);
  // Only `putRevision` writes such items.
  return item.spec as unknown as ClusterTemplateSpec;
}
