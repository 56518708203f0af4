import { expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import type { Operated } from "../../../../core/kernel/object/traits.ts";
import type { News } from "../../../../core/ports/hub/news.ts";
import type { Host } from "../../../../core/resources/host/model.ts";
import { observer } from "../../../../core/resources/host/observer.ts";
import { hostRecord, readyAgent } from "../../../support/placement.ts";

/** Whose agent it is that reports the MAC addresses of a host. */

const known = readyAgent("hub", "agent-1", timestamp(0));
const unmanaged = hostRecord("h-00001", "hub", "small");
const managed: Host = {
  ...unmanaged,
  spec: { ...unmanaged.spec, bmc: { ...unmanaged.spec.bmc, credentials: "hosts/h-00001/bmc" } },
};
const atWork = { operation: "an-operation" as NonNullable<Operated["operation"]> };
const withAgent = (host: Host, agent?: Host["status"]["agent"]): Host => ({
  ...host,
  status: { state: host.status.state, ...(agent && { agent }) },
});
const report = (name: string): News => ({
  kind: "Agent",
  deleted: false,
  object: {
    metadata: { name, namespace: "hardware-inventory", uid: name, resourceVersion: "7" },
  },
});

it.each<[string, Host, string, boolean]>([
  ["its own agent", withAgent(managed, known), "agent-1", true],
  ["a second agent beside its own", withAgent(managed, known), "agent-2", false],
  ["an agent of a server that is off", withAgent(managed), "agent-1", false],
  [
    "an agent after its own is gone, at rest",
    withAgent(managed, { ...known, gone: true }),
    "agent-2",
    false,
  ],
  ["an agent of a server at work", withAgent({ ...managed, ...atWork }), "agent-1", true],
  [
    "a second agent of a server at work",
    withAgent({ ...managed, ...atWork }, known),
    "agent-2",
    false,
  ],
  ["any agent, where somebody else boots it", withAgent(unmanaged, known), "agent-2", true],
])("a host is told by %s: %#", (_, host, name, isTold) => {
  const after = observer.observers.Agent?.applied(host, report(name), timestamp(1));
  expect(after?.status.agent?.name).toBe(isTold ? name : undefined);
});
