import * as z from "zod";
import type { ServerHardware } from "../server.ts";
import type { RedfishApi } from "./api.ts";
import { isPresent, listOf, type RedfishSystem, systemStatusSchema, toldOrNone } from "./system.ts";

const processorSchema = z.looseObject({
  Name: z.string().nullish(),
  Model: z.string().nullish(),
  ProcessorType: z.string().nullish(),
  TotalCores: z.number().nullish(),
  Status: systemStatusSchema,
});
type Processor = z.infer<typeof processorSchema>;

/** The hardware of a system, from its summaries, completed from its processors. */
export async function hardwareOf(api: RedfishApi, system: RedfishSystem): Promise<ServerHardware> {
  const members = toldOrNone(await listOf(api, system.Processors));
  const read = await Promise.all(members.map((member) => api.read(member, processorSchema)));
  const present = read.filter(isPresent);
  const cpus = present.filter(({ ProcessorType }) => (ProcessorType ?? "CPU") === "CPU");
  const gpus = present.filter(({ ProcessorType }) => ProcessorType === "GPU");
  const { Count, CoreCount } = system.ProcessorSummary ?? {};
  const gib = system.MemorySummary?.TotalSystemMemoryGiB;
  // Some controllers report zero while the server is off.
  const processors = Count || cpus.length;
  const cores = CoreCount || cpus.reduce((sum, { TotalCores }) => sum + (TotalCores ?? 0), 0);
  return {
    ...(processors > 0 && { processors }),
    ...(cores > 0 && { cores }),
    ...(gib && { memory: gib * 2 ** 30 }),
    ...(gpus.length > 0 && { gpus: byModel(gpus) }),
  };
}

function byModel(gpus: Processor[]): { model: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { Model, Name } of gpus) {
    const model = Model || Name || "unknown";
    counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  return [...counts].map(([model, count]) => ({ model, count }));
}
