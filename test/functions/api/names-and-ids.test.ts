import { beforeEach, describe, expect, it } from "vitest";
import { archive, mustLoad } from "../../../core/kernel/object/records.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});
const post = (body: unknown, person: "ann" | "bob" | "admin" = "ann") =>
  api.ask(person, "POST", `${v1}/clusters`, body);

describe("a project", () => {
  it.each(["a b", "A", "a..b", "a.b.c.d.e.f", "-a", "a#b", "a".repeat(64)])(
    "is not called %s",
    async (project) => {
      const { status, body } = await post(order("one", {}, { project }));
      expect(status).toBe(400);
      expect(body.errors).toEqual([
        { field: "metadata.project", message: expect.stringContaining("path of a project") },
      ]);
    },
  );

  it("is none when it is empty", async () => {
    const { body } = await post(order("one", {}, { project: "" }));
    expect(body.metadata).not.toHaveProperty("project");
  });

  it("has names of its own, and filters on the name find those of all projects", async () => {
    for (const [tenant, name] of [
      ["tenant-a", "red"],
      ["tenant-a", "blue"],
      ["tenant-b", "red"],
    ]) {
      const project = { metadata: { tenant, name } };
      expect((await api.ask("admin", "POST", `${priv}/projects`, project)).status).toBe(200);
    }
    for (const project of ["", "red", "blue"]) {
      const { status } = await post(order("one", {}, { project }));
      expect(status).toBe(200);
      expect((await post(order("one", {}, { project }))).status).toBe(409);
    }
    await post(order("two", {}, { project: "red" }));
    await post(order("one", {}, { project: "red" }), "bob");
    const projects = async (filter: string, person: "ann" | "admin" = "ann") => {
      const query = new URLSearchParams({ filter });
      const { body } = await api.ask(person, "GET", `${v1}/clusters?${query}`);
      expect(body.total).toBe(body.items.length);
      return body.items.map(({ metadata }: { metadata: { project?: string } }) => metadata.project);
    };
    const all = [undefined, "red", "blue"];
    expect((await projects('this.metadata.name == "one"')).toSorted()).toEqual(all.toSorted());
    expect((await projects('this.metadata.name in ["one"]')).toSorted()).toEqual(all.toSorted());
    expect(await projects('this.metadata.name == "two"')).toEqual(["red"]);
    expect(
      await projects('this.metadata.name == "one" && this.metadata.project == "blue"'),
    ).toEqual(["blue"]);
    expect(await projects('this.metadata.name == "one"', "admin")).toHaveLength(4);
  });
});

describe("an id", () => {
  const taken = { id: "c1", ...order("one") };

  it("is an administrator's to choose, once", async () => {
    expect((await post(taken, "admin")).body.id).toBe("c1");
    const { status, body } = await post({ id: "c1", ...order("two") }, "admin");
    expect(status).toBe(409);
    expect(body.message).toBe("cluster with identifier 'c1' already exists");
  });

  it("that is a name is free again with it, and its events count on", async () => {
    const role = { metadata: { name: "helper" }, spec: { grants: "tenant-user" } };
    const make = () => api.ask("admin", "POST", `${priv}/roles`, role);
    const { body } = await make();
    expect((await make()).status).toBe(409);
    const { event: first } = await mustLoad(api.deps, "role", body.id);
    expect((await api.ask("admin", "DELETE", `${priv}/roles/${body.id}`)).status).toBe(200);
    expect((await make()).status).toBe(200);
    // Its end was one event, too.
    const { event } = await mustLoad(api.deps, "role", body.id);
    expect(event).toMatchObject({ type: first.type, sequence: first.sequence + 2 });
  });

  it("of a cluster that is gone stays taken: what it left outside is found by it", async () => {
    await post(taken, "admin");
    const cluster = await mustLoad(api.deps, "cluster", "c1");
    await api.deps.store.transact(archive(kinds, cluster, api.deps.clock.now()));
    expect((await post({ id: "c1", ...order("two") }, "admin")).status).toBe(409);
  });

  it.each([
    ["clusters", order("two")],
    ["projects", { metadata: { name: "p" } }],
    ["webhooks", { metadata: { name: "w" }, spec: { url: "https://hooks.example.com/x" } }],
    ["cluster_catalog_items", { metadata: { name: "i" }, template: "ocp_small" }],
  ])(
    "of a tenant's %s is no tenant's to choose, whether it is taken or not",
    async (kind, body) => {
      const admins = { ...body, id: "taken" };
      expect((await api.ask("admin", "POST", `${v1}/${kind}`, admins)).status).toBe(200);
      const before = api.dump();
      const answers = [];
      for (const id of ["taken", "free"]) {
        for (const query of ["", "?dry_run=true"]) {
          const answer = await api.ask("bob", "POST", `${v1}/${kind}${query}`, { ...body, id });
          const { request_id: _, ...said } = answer.body;
          answers.push({ status: answer.status, said });
        }
      }
      const errors = [{ field: "id", message: "is chosen by Slipway; leave it out" }];
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]).toMatchObject({ status: 400, said: { code: 3, errors } });
      expect(api.dump()).toBe(before);
    },
  );
});
