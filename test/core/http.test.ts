import { expect, it } from "vitest";
import { isTransient } from "../../core/http.ts";

it("statuses after which the same request may succeed later, and no others", () => {
  const every = Array.from({ length: 500 }, (_, n) => n + 100);
  const ofServers = every.filter((status) => status >= 500);
  expect(every.filter(isTransient)).toEqual([408, 429, ...ofServers]);
});
