import { beforeEach, describe, expect, it } from "vitest";
import { asHubId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import type { Failure } from "../../../core/kernel/object/failure.ts";
import { load, mustLoad } from "../../../core/kernel/object/records.ts";
import { endWrites } from "../../../core/kernel/saga/end.ts";
import { sagaOf } from "../../../core/kernel/saga/settle.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type Answer, type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";
import { recordsIn } from "../../support/records.ts";

/** How PATCH changes the node sets of a cluster (docs/reference/osac-rest.md §2, §4). */

let api: Api;
let id: string;
beforeEach(async () => {
  api = await catalogApi();
  id = (await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).body.id;
});

const reference = (name: string) => ({ id: name, name });
const workers = { host_type: reference("small"), size: 2 };
const gpu = { host_type: reference("large"), size: 1 };

const patch = (node_sets: unknown, query = "") =>
  api.ask("ann", "PATCH", `${v1}/clusters/${id}${query}`, { spec: { node_sets } });
const remove = (type: string) => api.ask("admin", "DELETE", `${priv}/host_types/${type}`);

/** The running operation ends, as the kernel ends it. */
async function ended(failure?: Failure) {
  const { store } = api.deps;
  const { operation = "" } = await mustLoad(recordsIn(store), "cluster", id);
  const running = await mustLoad(recordsIn(store), "operation", operation);
  const saga = sagaOf(sagas, running);
  await store.transact(await endWrites(api.deps, saga, running, running, failure));
}

const setsOf = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).toBe(200);
  return body.spec.node_sets;
};

async function expectRefused(node_sets: unknown, field: string, words: string, query = "") {
  const before = api.dump();
  const { status, body } = await patch(node_sets, query);
  expect({ status, errors: body.errors }).toEqual({
    status: 400,
    errors: [{ field, message: expect.stringContaining(words) }],
  });
  expect(api.dump()).toBe(before);
}

describe("the map of node sets is replaced whole", () => {
  beforeEach(() => ended());

  it("one that is left out goes, one that stays keeps its host type", async () => {
    expect(setsOf(await patch({ workers: { size: 3 } }))).toEqual({
      workers: { ...workers, size: 3 },
    });
  });

  it("one that is new comes, with its host type by name or id", async () => {
    const more = { host_type: "small", size: 1 };
    expect(setsOf(await patch({ workers, gpu, more }))).toEqual({
      workers,
      gpu,
      more: { host_type: reference("small"), size: 1 },
    });
  });

  it("all of it at once: the operation brings about the whole", async () => {
    const answer = await patch({ workers: { size: 0 }, more: { host_type: "large", size: 4 } });
    const wished = {
      workers: { ...workers, size: 0 },
      more: { host_type: reference("large"), size: 4 },
    };
    expect(setsOf(answer)).toEqual(wished);
    const cluster = await mustLoad(api.deps, "cluster", id);
    expect(cluster.applying).toEqual(wished);
    expect(cluster.applied).toEqual({ workers, gpu });
    expect(await load(api.deps, "operation", cluster.operation ?? "")).toMatchObject({
      spec: { saga: "cluster-scale", change: "UPDATE" },
    });
    expect(Object.keys(answer.body.status.node_sets).sort()).toEqual(["gpu", "more", "workers"]);
  });

  it("what was read may be sent back whole", async () => {
    const { body } = await api.ask("ann", "GET", `${v1}/clusters/${id}`);
    const before = api.dump();
    expect(setsOf(await patch(body.spec.node_sets))).toEqual({ workers, gpu });
    expect(api.dump()).toBe(before);
  });
});

describe("update_mask", () => {
  beforeEach(() => ended());

  it("sets one node set and leaves the others", async () => {
    const sets = { more: { host_type: "large", size: 2 } };
    expect(setsOf(await patch(sets, "?update_mask=spec.node_sets.more"))).toEqual({
      workers,
      gpu,
      more: { host_type: reference("large"), size: 2 },
    });
  });

  it("removes the one that it names and the body has not", async () => {
    expect(setsOf(await patch({}, "?update_mask=spec.node_sets.gpu"))).toEqual({ workers });
  });

  it("below a node set keeps its host type", async () => {
    const sets = { gpu: { size: 5 }, workers: { size: 9 } };
    expect(setsOf(await patch(sets, "?update_mask=spec.node_sets.gpu.size"))).toEqual({
      workers,
      gpu: { ...gpu, size: 5 },
    });
  });
});

describe("refused is", () => {
  beforeEach(() => ended());

  it.each([{}, null])("removing the last node set, by %j", async (sets) => {
    await expectRefused(sets, "spec.node_sets", "cannot remove the last node set");
  });

  it("another host type for a node set that stays", async () => {
    const sets = { workers: { ...workers, host_type: "large" }, gpu };
    await expectRefused(sets, "spec.node_sets.workers.host_type", "cannot change host_type");
  });

  it("a host type that the template does not have", async () => {
    await api.ask("admin", "POST", `${priv}/host_types`, { metadata: { name: "huge" } });
    const sets = { workers, gpu, more: { host_type: "huge", size: 1 } };
    await expectRefused(sets, "spec.node_sets.more.host_type", "should be one of small, large");
  });

  it.each([
    ["without a host type", { size: 1 }, "host_type", "is required"],
    ["of a host type that is not there", { host_type: "none", size: 1 }, "host_type", "not found"],
    ["without a size", { host_type: "small" }, "size", "is required"],
    ["of no nodes", { host_type: "small", size: 0 }, "size", "at least 1"],
    ["of less than no nodes", { host_type: "small", size: -1 }, "size", ""],
  ])("a new node set %s", async (_, more, member, words) => {
    await expectRefused({ workers, gpu, more }, `spec.node_sets.more.${member}`, words);
  });

  it.each(["constructor", "Upper", "a b"])("the name %s", async (name) => {
    const sets = { workers, gpu, [name]: { host_type: "small", size: 1 } };
    await expectRefused(sets, `spec.node_sets.${name}`, "");
  });

  it("a node set without a size", async () => {
    await expectRefused({ workers: {}, gpu }, "spec.node_sets.workers.size", "is required");
  });

  it("more than 500 nodes together", async () => {
    const sets = { workers: { size: 300 }, gpu, more: { host_type: "small", size: 200 } };
    await expectRefused(sets, "spec.node_sets", "501 nodes; 500 is the limit");
  });

  it("more than 50 node sets", async () => {
    const sets = Array.from({ length: 51 }, (_, n) => [`n${n}`, { host_type: "small", size: 1 }]);
    await expectRefused(Object.fromEntries(sets), "spec.node_sets", "50 is the limit");
  });
});

describe("the prefix of pods, of which each node takes a part,", () => {
  const v6 = { pod_cidr: "fd01::/62", service_cidr: "fd02::/112" };
  const full = (room: string) => `the cluster would have 5 nodes, and its pod_cidr ${room}`;

  it.each([
    ["10.128.0.0/21", { pod_cidr: "10.128.0.0/21" }],
    ["fd01::/62", v6],
  ])("%s has room for four", async (cidr, network) => {
    const ordered = await api.ask("ann", "POST", `${v1}/clusters`, order("two", { network }));
    id = ordered.body.id;
    await ended();
    const room = `${full(cidr)} has room for 4`;
    await expectRefused({ workers: { size: 4 }, gpu }, "spec.node_sets.workers.size", room);
    const more = { host_type: "small", size: 2 };
    await expectRefused({ workers, gpu, more }, "spec.node_sets.more.size", room);
    // Only what grows is named.
    const grown = { workers: { size: 1 }, gpu: { size: 4 } };
    await expectRefused(grown, "spec.node_sets.gpu.size", room);
    expect(setsOf(await patch({ workers: { size: 3 }, gpu }))).toMatchObject({
      workers: { size: 3 },
    });
    await ended();
    expect(setsOf(await patch({ workers: { size: 1 }, gpu: { size: 3 } }))).toMatchObject({
      gpu: { size: 3 },
    });
  });

  it("that is too small already keeps no cluster from having as many nodes, or fewer", async () => {
    await ended();
    await changeObject(api.deps, "cluster", id, (cluster) => ({
      ...cluster,
      spec: { ...cluster.spec, network: { pod_cidr: "10.128.0.0/23" } },
    }));
    const room = "would have 4 nodes, and its pod_cidr 10.128.0.0/23 has room for 1";
    await expectRefused({ workers: { size: 3 }, gpu }, "spec.node_sets.workers.size", room);
    expect(setsOf(await patch({ workers: { size: 1 }, gpu: { size: 2 } }))).toMatchObject({
      gpu: { size: 2 },
    });
    await ended();
    expect(setsOf(await patch({ workers: { size: 1 }, gpu }))).toMatchObject({ gpu: { size: 1 } });
  });

  it("is the default one where none is ordered", async () => {
    await ended();
    expect(setsOf(await patch({ workers: { size: 499 }, gpu }))).toMatchObject({
      workers: { size: 499 },
    });
  });
});

it("a cluster that is not made yet cannot be wished without nodes", async () => {
  const sets = { workers: { size: 0 }, gpu };
  await expectRefused(sets, "spec.node_sets.workers.size", "until the cluster is READY");
});

it("a node set on its way out comes back as what it is, and not as another", async () => {
  await ended();
  await patch({ workers });
  const other = { workers, gpu: { host_type: "small", size: 1 } };
  await expectRefused(other, "spec.node_sets.gpu.host_type", "cannot change host_type");
  expect(setsOf(await patch({ workers, gpu: { size: 3 } }))).toEqual({
    workers,
    gpu: { ...gpu, size: 3 },
  });
});

it("a node set of the template's that was removed comes back as the template has it", async () => {
  await ended();
  await patch({ workers });
  await ended();
  expect(setsOf(await patch({ workers, gpu: {} }))).toEqual({ workers, gpu });
});

describe("a wish that waits in the queue", () => {
  const more = { host_type: reference("small"), size: 1 };

  it("is the newest one", async () => {
    await patch({ workers, gpu, more });
    expect(setsOf(await patch({ gpu }))).toEqual({ gpu });
    const cluster = await mustLoad(api.deps, "cluster", id);
    expect(cluster.applying).toEqual({ workers, gpu });
    expect(cluster.queued).toBeDefined();
  });

  it("that is cancelled leaves what the running operation brings about", async () => {
    const { headers } = await patch({ more });
    await api.ask("ann", "POST", `${headers.get("Operation-Location")}/cancel`);
    const { body } = await api.ask("ann", "GET", `${v1}/clusters/${id}`);
    expect(body.spec.node_sets).toEqual({ workers, gpu });
  });
});

describe("a wish that waits behind a create that fails", () => {
  const failure = { step: "JoinNodes", kind: "Rejected", message: "no" };
  const specSets = async () =>
    (await api.ask("ann", "GET", `${v1}/clusters/${id}`)).body.spec.node_sets;

  it("is what a retry makes", async () => {
    await patch({ workers });
    await ended(failure);
    expect(await specSets()).toEqual({ workers });
    await api.ask("ann", "POST", `${v1}/clusters/${id}/retry`);
    const { applying } = await mustLoad(api.deps, "cluster", id);
    expect(applying).toEqual({ workers });
  });

  it("is dropped with it where what it has is held for a look", async () => {
    await changeObject(api.deps, "cluster", id, (cluster) => ({
      ...cluster,
      placement: { hub: asHubId("hub-1"), at: "", reason: "", rejected: [], hosts: {} },
    }));
    await patch({ workers });
    await ended(failure);
    expect(await specSets()).toEqual({ workers, gpu });
  });
});

describe("a host type", () => {
  beforeEach(async () => {
    await ended();
    await api.ask("admin", "PATCH", `${priv}/cluster_templates/ocp_small`, {
      node_sets: { workers: { host_type: "small", size: 2 } },
      allowed_host_types: [],
    });
  });

  it("stays while a node set that goes has it, and can go after that", async () => {
    await patch({ workers });
    expect((await remove("large")).body.message).toContain("in use by 1 cluster");
    await ended();
    expect((await remove("large")).status).toBe(200);
  });

  it("stays for the node sets that a failed change goes back to", async () => {
    await patch({ workers: { size: 3 } });
    expect((await remove("large")).status).toBe(400);
    await ended({ step: "ReserveHosts", kind: "Rejected", message: "no" });
    const { body } = await api.ask("ann", "GET", `${v1}/clusters/${id}`);
    expect(body.spec.node_sets).toEqual({ workers, gpu });
    const failure = { step: "ReserveHosts", kind: "Rejected", message: "no", given_back: true };
    expect(body.status.failure).toEqual(failure);
    expect((await remove("large")).body.message).toContain("in use by 1 cluster");
  });

  it("of the template of then that is gone cannot be had again", async () => {
    await patch({ workers });
    await ended();
    await remove("large");
    const sets = { workers, gpu: { size: 1 } };
    await expectRefused(sets, "spec.node_sets.gpu.host_type", "not found");
  });
});
