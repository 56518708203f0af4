import { expect, it } from "vitest";
import { lazyExports } from "../../../infra/bundle/one-lazy-file.ts";

it("what code takes of its lazy files is exported by one module, each name once, without that of events", () => {
  const code = `
    clusters: async () => (await import("./catalog.ts")).routesOfKind("cluster"),
    hubs: async () => (await import("./catalog.ts")).routesOfKind("hub"),
    status: async () => (await import("./status.ts")).statusRoutes,
    events: async () => (await import("./events.ts")).eventRoutes,
  `;
  expect(lazyExports(code)).toBe(
    'export { routesOfKind } from "./catalog.ts";\nexport { statusRoutes } from "./status.ts";',
  );
});
