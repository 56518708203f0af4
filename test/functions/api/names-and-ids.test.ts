import { beforeEach, describe, expect, it } from "vitest";
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

describe("an id that is taken", () => {
  it("is a conflict for those who see the object, and of no use to others", async () => {
    await post({ id: "c1", ...order("one") });
    for (const person of ["ann", "admin"] as const) {
      const { status, body } = await post({ id: "c1", ...order("two") }, person);
      expect(status).toBe(409);
      expect(body.message).toBe("cluster with identifier 'c1' already exists");
    }
    const before = api.dump();
    for (const query of ["", "?dry_run=true"]) {
      const body = { id: "c1", ...order("two") };
      const answer = await api.ask("bob", "POST", `${v1}/clusters${query}`, body);
      expect(answer).toMatchObject({ status: 400, body: { code: 3 } });
      expect(answer.body.errors).toEqual([
        { field: "id", message: "cannot be used; leave it out" },
      ]);
    }
    expect(api.dump()).toBe(before);
  });
});
