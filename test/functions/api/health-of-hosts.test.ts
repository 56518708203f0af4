import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { asHostId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { objectKey } from "../../../core/kernel/object/keys.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { bytesOf, reportBytes } from "../../../core/machine/health-report.ts";
import { healthLimit } from "../../../core/resources/host/health-sources.ts";
import { noteHealth } from "../../../core/resources/host/take-health.ts";
import { type Api, catalogApi, priv } from "../../support/api.ts";
import { addHosts, addHub } from "../../support/placement.ts";

/** No reporter of a host's health has requests of others fail, however much it says. */

/** Text that nothing packs. */
const noise = (length: number): string =>
  randomBytes(length).toString("base64url").slice(0, length);

const alert = (message: number) => ({
  id: noise(42),
  message: noise(message),
  classifications: [],
});

/** Alerts that take all that a source may have, to some bytes. */
function fullest(room = reportBytes) {
  const alerts = [alert(1000), alert(1000), alert(1000)];
  const left = room - bytesOf({ alerts: [...alerts, alert(0)] });
  return [...alerts, alert(Math.max(1, Math.min(1000, left)))];
}

const name = (n: number): string => `source-${n}-${"x".repeat(50)}`;

let api: Api;
const host = `${priv}/hosts/h1`;
const report = (source: string, alerts: unknown[]) =>
  api.ask("admin", "POST", `${host}/health`, { source, alerts });
const label = (value: string) =>
  api.ask("admin", "PATCH", host, { metadata: { labels: { a: value } } });

beforeEach(async () => {
  api = await catalogApi();
  await addHub(api.deps, "hub-9");
  await addHosts(api.deps, "hub-9", "small", ["h1"]);
});

describe("a host", () => {
  it("is changed by people beside the fullest health that all of its sources may report", async () => {
    for (let n = 0; n < 16; n++) {
      const alerts = fullest();
      expect(bytesOf({ alerts })).toBeGreaterThan(reportBytes - 100);
      expect((await report(name(n), alerts)).status).toBe(200);
      const override = { source: name(n), mode: "merge", alerts: fullest() };
      const { status } = await api.ask("admin", "POST", `${host}/health/override`, override);
      expect(status).toBe(200);
    }
    expect((await label("b")).status).toBe(200);
    const annotations = { notes: noise(40_000) };
    const { status } = await api.ask("admin", "PATCH", host, { metadata: { annotations } });
    expect(status).toBe(200);
    // Each source still has its room.
    expect((await report(name(0), fullest())).status).toBe(200);
    expect((await label("c")).status).toBe(200);
  });

  it("refuses what one source may not say, by field, and is as it was", async () => {
    const before = (await api.ask("admin", "GET", host)).body;
    const large = Array.from({ length: 64 }, () => alert(1000));
    const { status, body } = await report("dcgm", large);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(`a source may have ${reportBytes}`);
    expect(JSON.stringify(body)).toContain('"alerts"');
    const override = { source: "dcgm", mode: "replace", alerts: large };
    expect((await api.ask("admin", "POST", `${host}/health/override`, override)).status).toBe(400);
    expect((await api.ask("admin", "GET", host)).body).toEqual(before);
  });

  it("takes no report in the name of one of its DPUs, which report by themselves", async () => {
    const { status, body } = await report("dpu server-1-dpu-1", [alert(10)]);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { field: "source", message: "is of a DPU of the host, which reports by itself" },
    ]);
    expect((await report("dpus", [alert(10)])).status).toBe(200);
  });

  it("has room for what Slipway itself sees, and then for its other sources as before", async () => {
    for (let n = 0; n < 16; n++) expect((await report(name(n), [alert(10)])).status).toBe(200);
    for (let n = 0; n < 8; n++)
      await noteHealth(api.deps, "h1", `dpu ${n}`, { successes: [], alerts: [alert(10)] });
    expect((await report(name(3), fullest())).status).toBe(200);
    const override = { source: name(3), mode: "replace", alerts: [alert(10)] };
    expect((await api.ask("admin", "POST", `${host}/health/override`, override)).status).toBe(200);
    expect((await report("one-more", [alert(10)])).status).toBe(400);
    // The overrides of all sources together are as many as there may be sources.
    for (let n = 0; n < 15; n++) {
      const { status } = await api.ask("admin", "POST", `${host}/health/override`, {
        ...override,
        source: n < 8 ? `dpu ${n}` : name(n + 1),
      });
      expect(status).toBe(200);
    }
    const more = { ...override, source: name(0) };
    expect((await api.ask("admin", "POST", `${host}/health/override`, more)).status).toBe(400);
  });

  it("keeps of what Slipway's own source says too much what keeps it from orders, and says how much is left out", async () => {
    const alerts = Array.from({ length: 64 }, (_, n) => ({
      ...alert(1000),
      classifications: n === 63 ? ["prevents_allocation"] : [],
    }));
    await noteHealth(api.deps, "h1", "dpu one", { successes: [], alerts });
    const { health } = (await api.ask("admin", "GET", host)).body.status;
    expect(health.prevents_allocation).toBe(true);
    expect(health.alerts[0].classifications).toEqual(["prevents_allocation"]);
    expect(health.alerts.at(-1)).toMatchObject({
      id: "more-alerts",
      message: expect.stringMatching(/^\d+ more alerts were reported/),
    });
    expect(bytesOf({ alerts: health.sources[0].alerts })).toBeLessThan(2 * reportBytes);
    // The same report is no other one.
    const { revision } = await mustLoad(api.deps, "host", "h1");
    await noteHealth(api.deps, "h1", "dpu one", { successes: [], alerts });
    expect((await mustLoad(api.deps, "host", "h1")).revision).toBe(revision);
  });

  it("is stored with each alert once, and told with what counts of it", async () => {
    const said = fullest();
    await report("dcgm", said);
    const item = await api.deps.store.get(objectKey("host", "h1"));
    expect(JSON.stringify(item).split(said[0]?.message ?? "").length - 1).toBe(1);
    const { health } = (await api.ask("admin", "GET", host)).body.status;
    expect(health.alerts).toHaveLength(said.length);
    expect(health.sources[0].alerts).toHaveLength(said.length);
  });

  it("takes 64 probes that found nothing wrong", async () => {
    const successes = Array.from({ length: 64 }, (_, n) => ({ id: `probe-${n}` }));
    const body = { source: "dcgm", successes };
    expect((await api.ask("admin", "POST", `${host}/health`, body)).status).toBe(200);
  });

  it("that was stored with more is changed by people, and gets well with the next report", async () => {
    const alerts = Array.from({ length: 64 }, () => ({
      ...alert(1000),
      ...{ target: noise(250), tenant_message: noise(500), since: "2026-01-01T00:00:00Z" },
    }));
    await changeObject(api.deps, "host", asHostId("h1"), (before) => ({
      ...before,
      health: { reports: { old: { observed_at: "2026-01-01T00:00:00Z", successes: [], alerts } } },
      status: {
        ...before.status,
        health: {
          ...{ state: "HEALTH_STATE_ALERT", since: "2026-01-01T00:00:00Z" },
          ...{ prevents_allocation: false, suppresses_alarms: false },
          alerts: alerts.map((each) => ({ ...each, source: "old" })),
        },
      },
    }));
    expect((await label("b")).status).toBe(200);
    expect((await report("dcgm", fullest())).status).toBe(200);
    const { health } = (await api.ask("admin", "GET", host)).body.status;
    expect(JSON.stringify(health).length).toBeLessThan(healthLimit);
    expect(health.alerts.some(({ source }: { source: string }) => source === "old")).toBe(true);
  });
});
