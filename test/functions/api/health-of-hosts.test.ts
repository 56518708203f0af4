import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { asHostId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { healthLimit } from "../../../core/resources/host/health.ts";
import { bytesOf, reportBytes } from "../../../core/resources/machine/health-report.ts";
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
