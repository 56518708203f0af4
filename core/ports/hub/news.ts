import * as z from "zod";
import { bounds } from "../../bounds.ts";
import { newsKinds } from "./reported-kinds.ts";

/**
 * A hub's report of one of its objects. The hub agent sends only the members that Slipway reads,
 * and never a Secret; `core/resources/cluster/observed.ts` interprets them.
 */
export const newsSchema = z.object({
  kind: z.enum(newsKinds).describe("The kind of object on the hub."),
  deleted: z.boolean().describe("Whether the object is gone; `object` is how it was last."),
  object: z
    .object({
      metadata: z
        .object({
          name: z.string().max(253).describe("Name of the object."),
          namespace: z.string().max(63).describe("Namespace of the object."),
          uid: z.string().max(128).describe("Kubernetes' unique id."),
          resourceVersion: z.string().max(64).describe("Kubernetes' version of the object."),
          generation: z.number().optional().describe("Counts the changes of its spec."),
          deletionTimestamp: z
            .string()
            .max(64)
            .optional()
            .describe("When its deletion was requested."),
          labels: z.record(z.string(), z.string()).optional().describe("Labels of the object."),
          annotations: z
            .record(z.string(), z.string())
            .optional()
            .describe("Annotations of the object."),
        })
        .describe("Kubernetes' own metadata."),
      spec: z.record(z.string(), z.unknown()).optional().describe("Parts of its spec."),
      status: z.record(z.string(), z.unknown()).optional().describe("Parts of its status."),
    })
    .describe("The parts of the object that Slipway reads."),
});
export type News = z.infer<typeof newsSchema>;

/** The limit of reports in one message; more are sent in further messages. */
export const newsLimit = 100;

/** A message of a hub agent, over HTTPS or as the detail of an event. */
export const messageSchema = z.strictObject({
  heartbeat: z.boolean().describe("Shows that the agent runs, also without changes."),
  agent_version: z
    .string()
    .max(64)
    .optional()
    .describe("The agent's own version, with a heartbeat."),
  unwatched: z
    .array(
      z.object({
        kind: z.enum(newsKinds).describe("The kind of object."),
        error: z.string().max(bounds.reason).describe("Why, in the agent's words."),
      }),
    )
    .max(newsKinds.length)
    .optional()
    .describe(
      "Kinds that the agent has failed to watch for two minutes or longer, with a heartbeat; absent for none.",
    ),
  news: z.array(newsSchema).max(newsLimit).describe("What has changed, the oldest first."),
});
export type Message = z.infer<typeof messageSchema>;

/** A message with its hub, which the sender's identity determines. */
export interface Report extends Message {
  hub: string;
}

/** Delivers hubs' reports to the observers, in whatever process they run. */
export interface Reports {
  /** Resolves when the report is stored safely; throws Unavailable when the sender has to repeat it. */
  take(report: Report): Promise<void>;
}

declare module "../../kernel/request/request-deps.ts" {
  interface RequestDeps {
    reports: Reports;
  }
}
