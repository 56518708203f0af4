import { AppError } from "../error.ts";
import type { Deps } from "../kernel/deps.ts";

async function refuse(what: string): Promise<never> {
  throw new AppError("Internal", "internal error", { detail: `${what} is not reached from here` });
}

/** Ports for functions that call no outside system: a step in the wrong zone is a defect. */
export const unreachable: Pick<
  Deps,
  "hubs" | "askableHubs" | "sites" | "servers" | "guests" | "webhooks"
> = {
  hubs: { client: (hub) => refuse(`hub ${hub}`) },
  askableHubs: { client: (hub) => refuse(`hub ${hub}`) },
  sites: { systems: (site) => refuse(`site ${site}`) },
  servers: { open: ({ id }) => refuse(`the server of host ${id}`) },
  guests: { reach: (hub) => refuse(`a hosted cluster of hub ${hub}`) },
  webhooks: { refusal: async () => "is not checked here", post: () => refuse("a receiver") },
};
