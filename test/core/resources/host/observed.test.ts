import { describe, expect, it } from "vitest";
import { macsOf, observedAgent } from "../../../../core/resources/host/observed.ts";
import { newsOfKind } from "../../../support/news.ts";

const now = "2026-01-01T00:10:00.000Z";

describe("an agent", () => {
  const metadata = { name: "agent-1", labels: { "slipway.dev/cluster": "c-1" } };

  it("tells its state, whose it is and what it is bound to", () => {
    const news = newsOfKind("Agent", {
      metadata,
      spec: { clusterDeploymentName: { name: "abcdefghij", namespace: "ns" } },
      status: { debugInfo: { state: "installing", stateInfo: "Rebooting" } },
    });
    expect(observedAgent(news, now)).toEqual({
      addresses: [],
      name: "agent-1",
      uid: "uid-1",
      resource_version: "100",
      at: now,
      state: "installing",
      message: "Rebooting",
      bound_to: "abcdefghij",
      labelled_for: "c-1",
      gone: false,
    });
  });

  it("tells the addresses of its NICs, without their prefix lengths", () => {
    const interfaces = [
      { macAddress: "52:54:00:00:00:01", ipV4Addresses: ["10.64.0.5/24"], ipV6Addresses: [] },
      { macAddress: "52:54:00:00:00:02", ipV4Addresses: null, ipV6Addresses: ["fd00::5/64"] },
      { macAddress: "52:54:00:00:00:03", ipV4Addresses: ["no address"] },
    ];
    const news = newsOfKind("Agent", { metadata, status: { inventory: { interfaces } } });
    expect(observedAgent(news, now).addresses).toEqual(["10.64.0.5", "fd00::5"]);
  });

  it("that is new has nothing to tell", () => {
    const observed = observedAgent(newsOfKind("Agent"), now);
    expect(observed).toMatchObject({ state: "", message: "", bound_to: "", labelled_for: "" });
    expect(macsOf(newsOfKind("Agent"))).toEqual([]);
  });

  it("its MAC addresses are in lowercase, each once", () => {
    const interfaces = [
      { name: "eno1", macAddress: "52:54:00:AA:BB:01" },
      { name: "eno2", macAddress: "52:54:00:aa:bb:02" },
      { name: "bond0", macAddress: "52:54:00:aa:bb:01" },
      { name: "lo" },
    ];
    const news = newsOfKind("Agent", { status: { inventory: { interfaces } } });
    expect(macsOf(news)).toEqual(["52:54:00:aa:bb:01", "52:54:00:aa:bb:02"]);
  });
});
