import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { minutes, seconds } from "../../../../../core/clock.ts";
import {
  type GuestObservation,
  guestDone,
  type Manifest,
} from "../../../../../core/ports/guest/guest.ts";
import type { Values } from "../../../../../core/resources/cluster-template/content/placeholders.ts";
import {
  operatorsOf,
  renderedManifests,
  storageOf,
  validationOf,
} from "../../../../../core/resources/cluster-template/content/render.ts";
import { readTemplate, templateFolders } from "../../../../../templates/folder.ts";
import { type TestGuest, testGuest, untilSettled, wordsOf } from "../../../../support/guest.ts";
import { rbdStorage } from "../../../../support/guest-orders.ts";

const all = join(import.meta.dirname, "../../../../../templates");
const shipped = templateFolders(all).map((folder) => basename(folder));

let guest: TestGuest;

beforeEach(() => {
  guest = testGuest();
});

afterEach(() => guest.stop());

const settles = async (look: () => Promise<GuestObservation>) =>
  expect((await untilSettled(guest, look)).at(-1)).toEqual(guestDone);

/** Configures the cluster as the template says, with its default parameters; answers its workload. */
async function configure(id: string): Promise<Manifest[] | undefined> {
  const { template } = readTemplate(join(all, id));
  if (!template) throw new Error("the template is at fault");
  const { content } = template;
  const defaults = (content.parameters ?? []).map(({ name, default: value }) => [name, value]);
  const parameters: Values = Object.fromEntries(defaults);
  // The one that has no default.
  parameters.site ??= "harbour";
  const storage = storageOf(content);
  if (storage) await settles(() => guest.client.ensureStorageClass(rbdStorage(storage)));
  for (const operator of operatorsOf(content, parameters)) {
    await settles(() => guest.client.ensureOperator(operator));
  }
  const manifests = renderedManifests(content, parameters);
  await settles(() => guest.client.ensureManifests(manifests));
  return validationOf(content, parameters)?.workload;
}

it("the shipped templates are those that are tried here", () => {
  expect(shipped).toEqual(["ocp_4_17_ai", "ocp_4_17_single_node", "ocp_4_17_small"]);
});

it.each(shipped)("a hosted cluster is configured and validated as %s says", async (id) => {
  guest.join("fc430-1", "fc430-2");
  guest.joinGpuServer("h100-1");
  await guest.clock.advance(seconds(60));
  const workload = await configure(id);
  if (!workload) return;
  await settles(() => guest.client.ensureTestWorkload(workload));
  await settles(() => guest.client.removeTestWorkload());
  expect(guest.cluster.list("Job")).toEqual([]);
});

it("a cluster for AI without a GPU waits for one, in the scheduler's words", async () => {
  guest.join("fc430-1", "fc430-2", "fc430-3");
  await guest.clock.advance(seconds(60));
  const workload = await configure("ocp_4_17_ai");
  const look = () => guest.client.ensureTestWorkload(workload ?? []);
  await look();
  await guest.clock.advance(minutes(30));
  expect(wordsOf([await look()])).toEqual([
    "test Job vector-add to complete: 0/3 nodes are available: 3 Insufficient nvidia.com/gpu.",
  ]);
  guest.joinGpuServer("h100-1");
  await settles(look);
});
