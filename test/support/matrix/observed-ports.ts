import type { StepDeps } from "../../../core/kernel/saga/context.ts";
import type { Asked } from "./opposites.ts";

/** Answers in the place of a port, once it has answered. */
export type Answering = (asked: Omit<Asked, "before">) => unknown;

/** Deps whose ports at sites, hubs and servers answer through this. */
export const withObserved = (deps: StepDeps, answering: Answering): StepDeps => ({
  ...deps,
  sites: {
    async systems(id) {
      const { site, ...systems } = await deps.sites.systems(id);
      const all = Object.entries(systems).map(([name, port]) => [
        name,
        observed(name, port, answering),
      ]);
      return { site, ...Object.fromEntries(all) };
    },
  },
  hubs: { client: async (id) => observed("hub", await deps.hubs.client(id), answering) },
  servers: {
    open: async (address) => observed("server", await deps.servers.open(address), answering),
  },
});

/** A port, and the ports that it has as members, such as the drives of a server. */
function observed<T>(name: string, port: T, answering: Answering): T {
  if (typeof port !== "object" || port === null) return port;
  return new Proxy<typeof port>(port, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      const call = `${name}.${String(key)}`;
      if (typeof member !== "function") return observed(call, member, answering);
      return (...args: unknown[]): unknown => {
        const answer: unknown = member.apply(target, args);
        if (!(answer instanceof Promise)) return answer;
        return answer.then((value: unknown) => answering({ call, args, answer: value }));
      };
    },
  });
}
