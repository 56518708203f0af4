import { timestamp } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { load, putNew } from "../../kernel/object/records.ts";
import { newOperation } from "../../kernel/saga/new-operation.ts";
import { optimisticallyFenced } from "../../kernel/store/optimistically.ts";
import type { Check } from "../../kernel/store/store.ts";
import type { ExternalIpAttachment } from "./model.ts";
import { attachmentSagas } from "./sagas.ts";

/** The operations of an attachment that an order created with its server; the server's sagas start them. */

/** The attachment's id, and the creator of its operations. */
interface Whose {
  id: string;
  creator: string;
}

/** Starts the operation by which the address leads to the server. Idempotent. */
export const startLeading = (deps: Deps, fence: Check[], whose: Whose): Promise<void> =>
  operateOn(deps, fence, whose, "create", ({ made, failure, metadata }) =>
    Boolean(made || failure || metadata.deletion_timestamp),
  );

/** Starts the deletion of the attachment, after which the address no longer leads to the server. Idempotent. */
export const startTurningBack = (deps: Deps, fence: Check[], whose: Whose): Promise<void> =>
  operateOn(deps, fence, whose, "delete", () => false);

const operateOn = (
  deps: Deps,
  fence: Check[],
  { id, creator }: Whose,
  what: "create" | "delete",
  isDone: (attachment: ExternalIpAttachment) => boolean,
): Promise<void> =>
  optimisticallyFenced(deps.store, fence, async () => {
    const before = await load(deps, "external_ip_attachment", id);
    if (!before || before.operation !== undefined || isDone(before))
      return { writes: [], result: undefined };
    const { failure: _, ...target } = before;
    const change = what === "create" ? "CREATE" : "DELETE";
    const operation = newOperation(deps, {
      ...{ saga: attachmentSagas[what], change, target, creator },
    });
    const deletion_timestamp = before.metadata.deletion_timestamp ?? timestamp(deps.clock.now());
    const { writes } = written<ExternalIpAttachment>(deps, before, {
      ...{ ...target, operation: operation.id },
      ...(what === "delete" && { metadata: { ...before.metadata, deletion_timestamp } }),
    });
    return { writes: [...writes, ...putNew(deps.kinds, operation)], result: undefined };
  });
