import { expect, it } from "vitest";
import { openSite } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** What goes on until Ctrl-C. */

/** Presses Ctrl-C with so many requests. */
function afterRequests(terminal: ReturnType<typeof terminalAt>, count: number): void {
  let asked = 0;
  terminal.intercept = () => {
    asked += 1;
    if (asked === count) terminal.interrupt();
    return undefined;
  };
}

it("a watched list is each object once, and again when it has changed", async () => {
  const site = await openSite();
  const terminal = terminalAt(site);
  await site.order("one");
  afterRequests(terminal, 700);
  const { exit, out } = await terminal.slipway("cluster list --watch -o json", "alice");
  expect(exit).toBe(0);
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.length).toBeLessThan(100);
  expect(lines.at(-1).status.state).toBe("CLUSTER_STATE_READY");
  expect(new Set(lines.map((line) => JSON.stringify(line))).size).toBe(lines.length);
});

it("in a pipe it is said of an object that it is gone", async () => {
  const site = await openSite();
  const terminal = terminalAt(site);
  const { body } = await site.api("POST", "projects", { metadata: { name: "shop" } });
  let asked = 0;
  let deleted: Promise<unknown> | undefined;
  terminal.intercept = () => {
    asked += 1;
    if (asked === 2) deleted = site.api("DELETE", `projects/${body.id}`);
    if (asked === 5) terminal.interrupt();
    return undefined;
  };
  const { out, err } = await terminal.slipway("project list --watch", "alice");
  await deleted;
  expect(out).toMatch(/^shop.*\n$/);
  expect(err).toBe("shop is gone\n");
});

it("on a terminal a watched table is drawn again in its place, and says when it cannot be read", async () => {
  const terminal = terminalAt(await openSite(), { isTerminal: true });
  let asked = 0;
  terminal.intercept = () => {
    asked += 1;
    // A read is tried three times.
    if (asked >= 2 && asked <= 4) throw new TypeError("fetch failed");
    if (asked === 6) terminal.interrupt();
    return undefined;
  };
  const { exit, out, err } = await terminal.slipway("hub list --watch");
  expect(exit).toBe(0);
  // The lines below the failure are new ones; those after them take their place.
  expect(out.split("\u001b[3A\u001b[0JNAME")).toHaveLength(2);
  expect(err).toBe(
    "https://slipway is unreachable: fetch failed; trying again\nit answers again\n",
  );
});

it("events are lines of JSON, from where one was up to", async () => {
  const site = await openSite();
  const terminal = terminalAt(site);
  let position = "";
  terminal.intercept = (url) => {
    const { searchParams } = new URL(url);
    const asked = searchParams.get("last_event_id") ?? "";
    if (position !== "") expect(asked).toBe(position);
    if (asked === "e2") terminal.interrupt();
    position = asked === "" ? "e1" : "e2";
    const line = JSON.stringify({ result: { event: { id: position } } });
    return new Response(asked === "e2" ? "" : `${line}\n`, {
      headers: { "last-event-id": position },
    });
  };
  const { exit, out } = await terminal.slipway("event watch");
  expect(exit).toBe(0);
  expect(out).toBe('{"result":{"event":{"id":"e1"}}}\n{"result":{"event":{"id":"e2"}}}\n');
});
