import { acceptDpuIdentity, retryDpu } from "../../core/resources/dpu/provision-again.ts";
import { acceptedAnswer } from "./answer.ts";
import { matchOf } from "./preconditions.ts";
import { emptyBody, prefixes, type Route, route } from "./route.ts";
import { schemaIn } from "./schemas.ts";

const decisions = [
  {
    verb: "retry",
    summary: "Retry a DPU",
    description:
      "Provisions a DPU again, whether it is set aside or not, and then its host, which nobody may hold.",
    decide: retryDpu,
  },
  {
    verb: "accept_identity",
    summary: "Accept the identity of a DPU",
    description:
      "Has the DPU that was found behind a controller be this one from now on, such as a replaced card. It is provisioned again, and then its host, which nobody may hold. Refused for a DPU that another DPU or host is.",
    decide: acceptDpuIdentity,
  },
] as const;

export const dpuRoutes: Route[] = decisions.map(({ decide, verb, ...said }) =>
  route({
    ...{ area: "private", subject: "dpu", verb, method: "POST", ...said },
    path: `${prefixes.private}/dpus/{id}/${verb}`,
    body: emptyBody,
    headers: ["If-Match"],
    response: () => schemaIn("private", "dpu"),
    handle: async (call) => {
      const { deps, caller } = call;
      return acceptedAnswer(call, await decide(deps, caller, call.param("id"), matchOf(call)));
    },
  }),
);
