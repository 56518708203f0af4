import { afterEach, beforeEach, expect, it } from "vitest";
import { minutes, seconds } from "../../../core/clock.ts";
import type { Manifest } from "../../../core/ports/guest/guest.ts";
import { KubeError } from "../../../sim/kubernetes/status.ts";
import { type TestGuest, testGuest } from "../../support/guest.ts";
import { deployment, job } from "../../support/guest-orders.ts";
import { condition } from "../../support/sim-world.ts";

let guest: TestGuest;

beforeEach(async () => {
  guest = testGuest();
  guest.join("worker-1");
  await guest.clock.advance(minutes(1));
});

afterEach(() => guest.stop());

const create = ({ metadata, ...rest }: Manifest) =>
  guest.cluster.create({ ...rest, metadata: { name: metadata.name, namespace: "default" } });
const smoke = () => guest.cluster.get("Job", "default", "smoke");
const phases = () =>
  guest.cluster.list("Pod").map(({ status }) => (status as { phase: string }).phase);

it("a Job runs as many pods as it is to complete, one after the other", async () => {
  create(job("smoke", ["true"], { completions: 2 }));
  await guest.clock.advance(seconds(20));
  expect(phases()).toEqual(["Running"]);
  await guest.clock.advance(minutes(2));
  expect(phases()).toEqual(["Succeeded", "Succeeded"]);
  expect(smoke()?.status).toMatchObject({ succeeded: 2, failed: 0, active: 0 });
  expect(condition(smoke(), "Complete").status).toBe("True");
});

it("a Job whose command says so fails, after as many more tries as it allows", async () => {
  create(job("smoke", ["sh", "-c", "fail"], { backoffLimit: 2 }));
  await guest.clock.advance(minutes(1));
  expect(condition(smoke(), "Failed").status).toBeUndefined();
  await guest.clock.advance(minutes(5));
  expect(phases()).toEqual(["Failed", "Failed", "Failed"]);
  expect(condition(smoke(), "Failed")).toMatchObject({ reason: "BackoffLimitExceeded" });
});

it("a Job that is deleted takes its pods with it", async () => {
  create(job("smoke", ["true"]));
  await guest.clock.advance(seconds(20));
  guest.cluster.delete("Job", "default", "smoke");
  expect(guest.cluster.list("Pod")).toEqual([]);
});

it("a Job goes on after the cluster was opened again", async () => {
  create(job("smoke", ["true"]));
  for (let opened = 0; opened < 10; opened += 1) {
    await guest.clock.advance(seconds(7));
    await guest.client.close();
    guest = guest.reopen();
  }
  expect(condition(smoke(), "Complete").status).toBe("True");
  expect(phases()).toEqual(["Succeeded"]);
});

it("a Deployment is available a little later", async () => {
  create(deployment("web", "registry.example.com/web:1", { replicas: 2 }));
  const web = () => guest.cluster.get("Deployment", "default", "web");
  await guest.clock.advance(seconds(1));
  expect(condition(web(), "Available").status).toBe("False");
  await guest.clock.advance(minutes(1));
  expect(condition(web(), "Available").status).toBe("True");
  expect(web()?.status).toMatchObject({ availableReplicas: 2 });
});

it.each<[string, Manifest, RegExp]>([
  ["a pod that restarts for ever", withPolicy("Always"), /restartPolicy: Unsupported value/],
  ["no restart policy", withPolicy(undefined), /restartPolicy: Required value/],
  [
    "a member that there is not",
    { ...job("smoke", ["true"]), spec: { tries: 2 } },
    /unknown field "spec.tries"/,
  ],
])("a Job with %s is refused", (_, manifest, words) => {
  expect(() => create(manifest)).toThrow(KubeError);
  expect(() => create(manifest)).toThrow(words);
});

it("a Deployment that does not select its own pods is refused", () => {
  const wrong = deployment("web", "web:1", { selector: { matchLabels: { app: "other" } } });
  expect(() => create(wrong)).toThrow(/`selector` does not match template `labels`/);
});

function withPolicy(restartPolicy: string | undefined): Manifest {
  const containers = [{ name: "test", image: "smoke:1" }];
  const spec = { template: { spec: { containers, ...(restartPolicy && { restartPolicy }) } } };
  return { ...job("smoke", []), spec };
}
