import { AppError } from "../error.ts";
import type { StepDeps } from "../kernel/saga/context.ts";

async function refuse(what: string): Promise<never> {
  throw new AppError("Internal", "internal error", { detail: `${what} is not reached from here` });
}

/** Ports for functions that call no outside system: a step in the wrong zone is a defect. */
export const unreachable: Pick<
  StepDeps,
  "hubs" | "sites" | "servers" | "guests" | "secrets" | "owners" | "observers" | "absences"
> = {
  hubs: { client: (hub) => refuse(`hub ${hub}`) },
  sites: { systems: (site) => refuse(`site ${site}`) },
  servers: { open: ({ id }) => refuse(`the server of host ${id}`) },
  secrets: {
    get: () => refuse("the secret store"),
    put: () => refuse("the secret store"),
    remove: () => refuse("the secret store"),
  },
  owners: {},
  observers: {},
  absences: {},
  guests: { reach: (hub) => refuse(`a hosted cluster of hub ${hub}`) },
};
