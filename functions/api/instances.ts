import * as z from "zod";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { batchSchema, orderBatch } from "../../core/resources/baremetal-instance/batch-order.ts";
import { consentSchema } from "../../core/resources/baremetal-instance/consent.ts";
import { forceSchema, removeByForce } from "../../core/resources/baremetal-instance/force.ts";
import { issueSchema, releaseWithIssue } from "../../core/resources/baremetal-instance/issue.ts";
import { reinstallInstance } from "../../core/resources/baremetal-instance/reinstall.ts";
import { consentToRepair } from "../../core/resources/baremetal-instance/repair.ts";
import { acceptedAnswer, allAcceptedAnswer } from "./answer.ts";
import type { Call } from "./call.ts";
import { idempotencyOf, matchOf } from "./preconditions.ts";
import { emptyBody, prefixes, type Route, route } from "./route.ts";
import { schemaIn } from "./schemas.ts";

const areas = ["public", "private"] as const;

const releaseSchema = z.strictObject({ issue: issueSchema.describe("What is wrong with it.") });

const tenantsRoutes: Route[] = areas.flatMap((area) => [
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
    response: () => z.object({ items: z.array(schemaIn(area, "baremetal_instance")) }),
    handle: batchAnswer,
  }),
  route({
    area,
    subject: "baremetal_instance",
    verb: "reinstall",
    method: "POST",
    path: `${prefixes[area]}/baremetal_instances/{id}/reinstall`,
    summary: "Reinstall a server",
    description:
      "Writes the image of a server on its disk once more, and starts it. What was on the disk is lost.",
    body: emptyBody,
    headers: ["If-Match"],
    response: () => schemaIn(area, "baremetal_instance"),
    handle: async (call) => {
      const { deps, caller } = call;
      return acceptedAnswer(
        call,
        await reinstallInstance(deps, caller, call.param("id"), matchOf(call)),
      );
    },
  }),
  route({
    area,
    subject: "baremetal_instance",
    verb: "consent",
    method: "POST",
    path: `${prefixes[area]}/baremetal_instances/{id}/maintenance`,
    summary: "Allow the maintenance of a server",
    description:
      "Says when a server may be off for what its provider asks to do to it, as its condition MAINTENANCE says; or takes that back.",
    body: consentSchema,
    headers: ["If-Match"],
    response: () => schemaIn(area, "baremetal_instance"),
    handle: async (call) => {
      const given = parseOrRefuse(consentSchema, await call.body(consentSchema));
      const { deps, caller } = call;
      return acceptedAnswer(
        call,
        await consentToRepair(deps, caller, call.param("id"), given, matchOf(call)),
      );
    },
  }),
  route({
    area,
    subject: "baremetal_instance",
    verb: "release",
    method: "POST",
    path: `${prefixes[area]}/baremetal_instances/{id}/release`,
    summary: "Release a server with an issue",
    description:
      "Deletes a server, and tells the provider what is wrong with it: its host is kept from others until it is mended.",
    body: releaseSchema,
    headers: ["If-Match"],
    response: () => schemaIn(area, "baremetal_instance"),
    handle: async (call) => {
      const { issue } = parseOrRefuse(releaseSchema, await call.body(releaseSchema));
      const { deps, caller } = call;
      return acceptedAnswer(
        call,
        await releaseWithIssue(deps, caller, call.param("id"), issue, matchOf(call)),
      );
    },
  }),
]);

async function batchAnswer(call: Call): Promise<Response> {
  const body = await call.input(batchSchema);
  parseOrRefuse(batchSchema, body);
  const idempotency = call.trial
    ? undefined
    : idempotencyOf(call, "baremetal_instance", { batch: body });
  const options = idempotency ? { idempotency } : {};
  return allAcceptedAnswer(call, await orderBatch(call.deps, call.caller, body, options));
}

const forceRoute = route({
  area: "private",
  subject: "baremetal_instance",
  verb: "force",
  method: "POST",
  path: `${prefixes.private}/baremetal_instances/{id}/force`,
  summary: "Remove a server by force",
  description:
    "Deletes a server, or has its deletion go on, with hardly any patience for a controller or a DPU that does not answer. It is isolated all the same, and its host is set aside where its DPUs do not tell so.",
  body: forceSchema,
  response: () => schemaIn("private", "baremetal_instance"),
  handle: async (call) => {
    const given = parseOrRefuse(forceSchema, await call.body(forceSchema));
    const { deps, caller } = call;
    return acceptedAnswer(call, await removeByForce(deps, caller, call.param("id"), given));
  },
});

export const instanceRoutes: Route[] = [...tenantsRoutes, forceRoute];
