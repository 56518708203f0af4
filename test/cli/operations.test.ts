import { expect, it } from "vitest";
import { runBundled as run } from "../support/bundled-cli.ts";
import { recording } from "../support/terminal.ts";

/** Operations that are found by what they wait for. */

const operation = (id: string, system: string) => ({
  id,
  spec: { change: "CREATE", target: { kind: "cluster", id, name: id } },
  status: { state: "OPERATION_STATE_RUNNING", waiting: [{ step: "x", system, message: "slow" }] },
});

it("finds the one of many pages that waits for a system, and counts what it found", async () => {
  const pages = [
    { items: [operation("a", "hub"), operation("b", "hub")], next_page_token: "2", total: 3 },
    { items: [operation("c", "storage")], total: 3 },
  ];
  const { around, written } = recording({
    fetch: async (url) => Response.json(pages[new URL(url).searchParams.has("page_token") ? 1 : 0]),
    now: () => 0,
    pause: async () => {},
  });
  const env = { ...around.env, SLIPWAY_URL: "https://slipway", SLIPWAY_TOKEN: "t" };
  const words = ["operation", "list", "--waiting-for", "storage", "--limit", "1", "-o", "json"];
  expect(await run(words, { ...around, env })).toBe(0);
  const said = JSON.parse(written.out);
  expect(said).toMatchObject({ size: 1, total: 1, items: [{ id: "c" }] });
});
