import { expect, it } from "vitest";
import { createApp } from "../../../functions/api/app.ts";
import { allowedHeaders } from "../../../functions/api/cross-origin.ts";
import { catalogApi, v1 } from "../../support/api.ts";
import { testDeps } from "../../support/deps.ts";

const watchPaths = ["/api/events/v1/events", "/api/private/v1/events/watch"];
const portal = "https://portal.example.com";
const appFor = (origins?: string[]) =>
  createApp(testDeps(), { profile: "slipway", origins, principal: () => undefined });
const preflight = (origin: string) => ({
  method: "OPTIONS",
  headers: {
    Origin: origin,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
  },
});

it("lets a browser ask first without a token, and says what it may send", async () => {
  const { status, headers } = await appFor(["*"]).request(`${v1}/clusters`, preflight(portal));
  expect(status).toBe(204);
  expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(headers.get("Access-Control-Allow-Methods")).toContain("PATCH");
  expect(headers.get("Access-Control-Allow-Headers")?.split(",")).toEqual(allowedHeaders);
});

it("shows a browser what it may read, of refusals too", async () => {
  const api = await catalogApi();
  for (const person of ["ann", "nobody"] as const) {
    const { headers } = await api.ask(person, "GET", `${v1}/clusters`, undefined, {
      Origin: portal,
    });
    expect(headers.get("Access-Control-Allow-Origin"), person).toBe("*");
    const exposed = headers.get("Access-Control-Expose-Headers")?.split(",");
    expect(exposed).toEqual(expect.arrayContaining(["ETag", "Operation-Location", "Retry-After"]));
  }
});

it.each(watchPaths)("lets a browser watch %s, and read where it is in the log", async (path) => {
  const watching = {
    Origin: portal,
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "authorization,last-event-id",
  };
  const asked = await appFor([portal]).request(path, { method: "OPTIONS", headers: watching });
  expect(asked.status).toBe(204);
  expect(asked.headers.get("Access-Control-Allow-Headers")?.split(",")).toContain("Last-Event-ID");
  const api = await catalogApi();
  const since = { Origin: portal, "Last-Event-ID": "0" };
  const waiting = api.ask("admin", "GET", path, undefined, since);
  const { status, headers } = await api.deps.clock.until(waiting);
  expect(status).toBe(200);
  expect(headers.get("Last-Event-ID")).not.toBeNull();
  const exposed = headers.get("Access-Control-Expose-Headers")?.split(",");
  expect(exposed).toEqual(expect.arrayContaining(["Last-Event-ID", "Retry-After"]));
});

it.each([
  [[portal], portal, portal],
  [[portal], "https://other.example.com", null],
  [[portal, "http://127.0.0.1:3000"], "http://127.0.0.1:3000", "http://127.0.0.1:3000"],
  [undefined, portal, null],
])("where %j may call, %s is answered %s", async (origins, origin, allowed) => {
  const { headers } = await appFor(origins).request("/healthz", { headers: { Origin: origin } });
  expect(headers.get("Access-Control-Allow-Origin")).toBe(allowed);
});

it("is no method of the API where nobody may call", async () => {
  expect((await appFor().request(`${v1}/clusters`, preflight(portal))).status).toBe(501);
});
