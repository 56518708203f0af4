import { type DecisionName, decide } from "../../core/resources/host/set-aside.ts";
import { acceptedAnswer } from "./answer.ts";
import { matchOf } from "./preconditions.ts";
import { emptyBody, prefixes, type Route, route } from "./route.ts";
import { schemaIn } from "./schemas.ts";

/** What a person decides about a host. */
const descriptions: Record<DecisionName, string> = {
  retry: "Does again what has failed on a host that is set aside, once a person has mended it.",
  maintain:
    "Takes a host out of its cluster, where it is replaced first, or out of the pool, until it is released. A host whose power Slipway manages is erased and switched off.",
  release:
    "Ends that a host is in maintenance, set aside or retired. It is erased and discovered before an order gets it; a cluster that has not let it go keeps it.",
  retire: "Takes a host that nobody holds out of service for good, and switches it off.",
};

export const hostRoutes: Route[] = (Object.keys(descriptions) as DecisionName[]).map((verb) =>
  route({
    area: "private",
    subject: "host",
    verb,
    method: "POST",
    path: `${prefixes.private}/hosts/{id}/${verb}`,
    summary: `${verb[0]?.toUpperCase()}${verb.slice(1)} a host`,
    description: descriptions[verb],
    body: emptyBody,
    headers: ["If-Match"],
    response: () => schemaIn("private", "host"),
    handle: async (call) => {
      const { deps, caller } = call;
      return acceptedAnswer(
        call,
        await decide(deps, caller, call.param("id"), verb, matchOf(call)),
      );
    },
  }),
);
