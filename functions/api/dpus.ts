import { retryDpu } from "../../core/resources/dpu/retry.ts";
import { acceptedAnswer } from "./answer.ts";
import { matchOf } from "./preconditions.ts";
import { emptyBody, prefixes, type Route, route } from "./route.ts";
import { schemaIn } from "./schemas.ts";

export const dpuRoutes: Route[] = [
  route({
    area: "private",
    subject: "dpu",
    verb: "retry",
    method: "POST",
    path: `${prefixes.private}/dpus/{id}/retry`,
    summary: "Retry a DPU",
    description:
      "Provisions a DPU again, whether it is set aside or not, and then its host, which nobody may hold.",
    body: emptyBody,
    headers: ["If-Match"],
    response: () => schemaIn("private", "dpu"),
    handle: async (call) => {
      const { deps, caller } = call;
      return acceptedAnswer(call, await retryDpu(deps, caller, call.param("id"), matchOf(call)));
    },
  }),
];
