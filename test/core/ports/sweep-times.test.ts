import { expect, it } from "vitest";
import { dueFor, type SweepName } from "../../../core/ports/sweep-times.ts";
import { catalogApi, priv } from "../../support/api.ts";
import { bodies } from "../../support/one-of-each.ts";

const sweeps: SweepName[] = ["objects", "parts", "orphans"];

it("what is registered is due for its sweeps, a hub at its site while it has one, and nothing that is gone", async () => {
  const api = await catalogApi();
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await api.ask("admin", method, `${priv}/${path}`, body);
    expect(answer.status, answer.text).toBe(200);
  };
  const due = async () => {
    const found = await Promise.all(sweeps.map((sweep) => dueFor(api.deps, sweep)));
    return found.map((places) => places.map(({ kind, id }) => `${kind} ${id}`).sort());
  };
  await ask("POST", "sites", { ...bodies.site, id: "s1" });
  const hub = { ...bodies.hub, spec: { ...Object(bodies.hub).spec, site: "s1" } };
  await ask("POST", "hubs", hub);
  expect(await due()).toEqual([["hub hub-1"], ["hub hub-1"], ["hub hub-1", "site s1"]]);
  await ask("PATCH", "hubs/hub-1", { spec: { site: null } });
  expect(await due()).toEqual([["hub hub-1"], [], ["hub hub-1", "site s1"]]);
  await ask("PATCH", "hubs/hub-1", { spec: { site: "s1" } });
  expect((await due())[1]).toEqual(["hub hub-1"]);
  await ask("DELETE", "hubs/hub-1");
  await ask("DELETE", "sites/s1");
  expect(await due()).toEqual([[], [], []]);
});
