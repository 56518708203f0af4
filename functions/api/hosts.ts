import * as z from "zod";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { overrideSchema, sourceSchema } from "../../core/resources/host/health.ts";
import { maintenanceSchema } from "../../core/resources/host/maintenance.ts";
import { type DecisionName, decide } from "../../core/resources/host/set-aside.ts";
import { overrideHealth, reportHealth } from "../../core/resources/host/take-health.ts";
import { fits, healthReportMembers } from "../../core/resources/machine/health-report.ts";
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
  validate:
    "Discovers a host anew that nobody holds: compares its hardware with its type, and reads the results of its tests.",
  reprovision:
    "Has the DPUs of a host installed anew before the next order gets it: a free host is provisioned again now, one that somebody holds once it was released.",
  update_firmware:
    "Has the firmware of a host be what its type asks for: that of a free host now, that of one that somebody holds once it was released, or when its tenant consents.",
  accept_identity:
    "Has the server that was found behind the controller of a host be the host's from now on, such as one with a new mainboard. It is erased and discovered before an order gets it; one that somebody holds stays with its owner. Refused for a server that another host or DPU is.",
  retire: "Takes a host that nobody holds out of service for good, and switches it off.",
};

/** Of those whose verb is not one word. */
const summaries: Partial<Record<DecisionName, string>> = {
  update_firmware: "Update the firmware of a host",
  accept_identity: "Accept the identity of a host",
};

const bodyOf = (verb: DecisionName) => (verb === "maintain" ? maintenanceSchema : emptyBody);

const decisionRoutes: Route[] = (Object.keys(descriptions) as DecisionName[]).map((verb) =>
  route({
    area: "private",
    subject: "host",
    verb,
    method: "POST",
    path: `${prefixes.private}/hosts/{id}/${verb}`,
    summary: summaries[verb] ?? `${verb[0]?.toUpperCase()}${verb.slice(1)} a host`,
    description: descriptions[verb],
    body: bodyOf(verb),
    headers: ["If-Match"],
    response: () => schemaIn("private", "host"),
    handle: async (call) => {
      const { deps, caller } = call;
      const note =
        verb === "maintain"
          ? parseOrRefuse(maintenanceSchema, await call.body(maintenanceSchema))
          : {};
      return acceptedAnswer(
        call,
        await decide(deps, caller, call.param("id"), verb, matchOf(call), note),
      );
    },
  }),
);

const reportSchema = z.strictObject({ ...healthReportMembers, source: sourceSchema }).check(fits);

/** The health of a host, as monitoring systems report it and as administrators have it read. */
const healthRoutes: Route[] = [
  route({
    area: "private",
    subject: "host",
    verb: "health",
    method: "POST",
    path: `${prefixes.private}/hosts/{id}/health`,
    summary: "Report the health of a host",
    description:
      "Takes what a source has found, in place of its last report. One without probes and without an interval forgets the source.",
    body: reportSchema,
    response: () => schemaIn("private", "host"),
    handle: async (call) => {
      const { source, ...report } = parseOrRefuse(reportSchema, await call.body(reportSchema));
      const { deps, caller } = call;
      return acceptedAnswer(
        call,
        await reportHealth(deps, caller, call.param("id"), source, report),
      );
    },
  }),
  route({
    area: "private",
    subject: "host",
    verb: "override",
    method: "POST",
    path: `${prefixes.private}/hosts/{id}/health/override`,
    summary: "Override the health of a host",
    description: "Has the alerts of a source read otherwise, until that is ended.",
    body: overrideSchema,
    response: () => schemaIn("private", "host"),
    handle: async (call) => {
      const override = parseOrRefuse(overrideSchema, await call.body(overrideSchema));
      const { deps, caller } = call;
      return acceptedAnswer(call, await overrideHealth(deps, caller, call.param("id"), override));
    },
  }),
];

export const hostRoutes: Route[] = [...decisionRoutes, ...healthRoutes];
