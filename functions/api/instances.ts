import * as z from "zod";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { batchSchema, orderBatch } from "../../core/resources/baremetal-instance/batch-order.ts";
import { allAcceptedAnswer } from "./answer.ts";
import type { Call } from "./call.ts";
import { idempotencyOf } from "./preconditions.ts";
import { prefixes, type Route, route } from "./route.ts";
import { schemaIn } from "./schemas.ts";

const exampleBatch = {
  items: ["db-1", "db-2"].map((name) => ({
    metadata: { name },
    spec: {
      catalog_item: { name: "rhel-server" },
      ssh_public_key:
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPtStuO8Ud5lKNpTXbrXuTUgoQ3rKM/wEJX1o7WQTJHk me",
      network_attachments: [{ subnet: { name: "web" } }],
    },
  })),
};

/** Routes of servers besides collection and actions: orders of several at once. */
export const instanceRoutes: Route[] = (["public", "private"] as const).map((area) =>
  route({
    area,
    subject: "baremetal_instance",
    verb: "batch",
    method: "POST",
    path: `${prefixes[area]}/baremetal_instances/batch`,
    summary: "Order servers at once",
    description:
      "Accepts all of these orders or none. The servers get their hosts at once too, of one hub: until there are enough for all of them they hold none.",
    query: ["dry_run"],
    headers: ["Idempotency-Key", "X-Dry-Run"],
    body: batchSchema,
    example: exampleBatch,
    response: () => z.object({ items: z.array(schemaIn(area, "baremetal_instance")) }),
    handle: batchAnswer,
  }),
);

async function batchAnswer(call: Call): Promise<Response> {
  const body = await call.body(batchSchema);
  parseOrRefuse(batchSchema, body);
  const idempotency = call.trial
    ? undefined
    : idempotencyOf(call, "baremetal_instance", { batch: body });
  const options = idempotency ? { idempotency } : {};
  return allAcceptedAnswer(call, await orderBatch(call.deps, call.caller, body, options));
}
