import { describe, expect, it } from "vitest";
import { heartbeatKey } from "../../core/kernel/object/hub-keys.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { hubSource } from "../../core/ports/bus/hub-source.ts";
import { clusterLabel } from "../../core/ports/hub/clusters/labels.ts";
import { observeEvent } from "../../functions/observe.ts";
import { sagas } from "../../statemachines/index.ts";
import { reportEvent as event } from "../support/aws-events/event-bridge.ts";
import { newsOfKind } from "../support/news.ts";
import { addHosts, addHub } from "../support/placement.ts";
import { inLine, waitingDeps } from "../support/waiting.ts";

const available = newsOfKind("HostedCluster", {
  metadata: { labels: { [clusterLabel]: "c1" } },
  status: { conditions: [{ type: "Available", status: "True" }] },
});

async function placed() {
  const deps = waitingDeps();
  for (const hub of ["one", "two"]) await addHub(deps, hub);
  await addHosts(deps, "one", "small", ["s-00001"]);
  await inLine(deps, ["c1", { small: 1 }]);
  return { deps, observe: observeEvent(deps, sagas) };
}

describe("news of a hub", () => {
  it("is written down for the hub that the source names", async () => {
    const { deps, observe } = await placed();
    await deps.clock.advance(60_000);
    await observe(
      event(hubSource("one"), { heartbeat: true, agent_version: "1.2.3", news: [available] }),
    );
    const cluster = await mustLoad(deps, "cluster", "c1");
    expect(cluster.observed.control_plane).toMatchObject({ available: true });
    const heartbeat = await deps.store.get(heartbeatKey("one"));
    expect(heartbeat).toMatchObject({
      at: new Date(deps.clock.now()).toISOString(),
      version: "1.2.3",
    });
  });

  it("of a cluster on another hub is refused", async () => {
    const { deps, observe } = await placed();
    await observe(event("slipway.hub.two", { heartbeat: false, news: [available] }));
    const cluster = await mustLoad(deps, "cluster", "c1");
    expect(cluster.observed.control_plane).toBeUndefined();
  });

  it.each([
    ["of no hub", event("slipway", { heartbeat: true, news: [] })],
    ["of a hub without a name", event("slipway.hub.", { heartbeat: true, news: [] })],
    ["of another type", event("slipway.hub.one", { heartbeat: true, news: [] }, "else")],
    [
      "that says itself who it is",
      event("slipway.hub.two", { heartbeat: false, news: [available], hub: "one" }),
    ],
    ["without news", event("slipway.hub.one", { heartbeat: true })],
    ["with broken news", event("slipway.hub.one", { heartbeat: true, news: [{ kind: "Pod" }] })],
  ])("%s is Invalid", async (_, given) => {
    const { observe } = await placed();
    await expect(observe(given)).rejects.toMatchObject({ kind: "Invalid" });
  });
});
