import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type HubAgent, startAgent } from "../../agent/agent.ts";
import { inCluster } from "../../agent/connection.ts";
import { systemClock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Message } from "../../core/ports/hub/news.ts";
import {
  type KeyPair,
  makeAuthority,
  makeServerCertificate,
} from "../../sim/kubernetes/certificates.ts";
import { serveTls, type TlsServer } from "../../sim/kubernetes/tls.ts";
import { eventually } from "../support/eventually.ts";
import { TestHub } from "../support/hub-api.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

/** A hub gets another certificate authority while the agent runs in a pod of it, over real TLS. */

let hub: TestHub;
let folder: string;
let server: TlsServer;
let agent: HubAgent;
let clock: VirtualClock;
let messages: Message[];
let logged: Record<string, unknown>[];

const mount = (name: string, text: string) => writeFileSync(join(folder, name), text);
const serve = async (authority: KeyPair, port?: number) =>
  serveTls(hub.fetch, {
    identity: await makeServerCertificate(authority, ["127.0.0.1"]),
    ...(port !== undefined && { port }),
  });
const told = () => messages.flatMap(({ news }) => news.map(({ object }) => object.metadata.name));
const note = (members: Record<string, unknown>) => void logged.push(members);
const log: Log = { info: note, warn: note, error: note };

beforeEach(() => {
  hub = new TestHub();
  folder = mkdtempSync(join(tmpdir(), "pod-"));
  mount("token", "the-token");
  clock = new VirtualClock();
  messages = [];
  logged = [];
});

afterEach(async () => {
  await agent.stop();
  await server.close();
  rmSync(folder, { recursive: true });
});

function start(): void {
  const { port } = server;
  agent = startAgent({
    connection: inCluster({ host: "127.0.0.1", port: String(port) }, folder),
    report: async (message) => void messages.push(message),
    ...{ clock, wall: systemClock, log, heartbeatEvery: 60_000, apart: 0, random: () => 0 },
  });
}

it("follows the hub again once the pod has the new authority, without a restart", async () => {
  const [old, fresh] = [await makeAuthority("hub-1"), await makeAuthority("hub-1")];
  mount("ca.crt", old.certificate);
  server = await serve(old);
  start();
  await eventually(() => expect(agent.state().unwatched).toEqual([]));

  const { port } = server;
  await server.close();
  server = await serve(fresh, port);
  await eventually(() => expect(agent.state().unwatched).toHaveLength(3));
  await eventually(() =>
    expect(logged).toContainEqual(
      expect.objectContaining({ error: expect.stringMatching(/fetch failed: .*certificate/) }),
    ),
  );

  mount("ca.crt", `${old.certificate}\n${fresh.certificate}`);
  hub.createAgent("agent-1");
  await eventually(() => expect(told()).toEqual(["agent-1"]));
  await eventually(() => expect(agent.state().unwatched).toEqual([]));
}, 30_000);
