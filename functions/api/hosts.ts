import { type DecisionName, decide } from "../../core/resources/host/set-aside.ts";
import { acceptedAnswer } from "./answer.ts";
import { matchOf } from "./preconditions.ts";
import { emptyBody, prefixes, type Route, route } from "./route.ts";
import { schemaIn } from "./schemas.ts";

/** What a person decides about a host that is set aside. */
const descriptions: Record<DecisionName, string> = {
  retry: "Does again what has failed on a host that is set aside, once a person has mended it.",
  release:
    "Ends that a host is set aside or retired. It is erased and discovered before an order gets it.",
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
