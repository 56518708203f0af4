import { reinstallInstance } from "../../core/resources/baremetal-instance/reinstall.ts";
import { acceptedAnswer } from "./answer.ts";
import { matchOf } from "./preconditions.ts";
import { emptyBody, prefixes, type Route, route } from "./route.ts";
import { schemaIn } from "./schemas.ts";

export const instanceRoutes: Route[] = (["public", "private"] as const).map((area) =>
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
);
