import { beforeEach, expect, it } from "vitest";
import { AppError } from "../../../core/error.ts";
import { type Api, catalogApi, priv } from "../../support/api.ts";
import { addHub } from "../../support/placement.ts";

/** Classes of networks that a hub carries. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
  await addHub(api.deps, "hub-1");
});

const made = () =>
  api.ask("admin", "POST", `${priv}/network_classes`, {
    metadata: { name: "machines" },
    implementation_strategy: "hub",
    spec: { hub: "hub-1" },
  });
const says = (networksFault: () => Promise<string | undefined>) =>
  api.deps.hubClients.set("hub-1", { networksFault });

it("is refused on a hub that cannot carry networks, in its words", async () => {
  const fault = "the hub has no kind ClusterUserDefinedNetwork (k8s.ovn.org/v1)";
  says(async () => fault);
  const { status, text, body } = await made();
  expect(status, text).toBe(400);
  expect(body.errors).toEqual([{ field: "spec.hub", message: fault }]);
});

it("is made on a hub that can, or that does not answer now; later nobody asks", async () => {
  says(() => Promise.reject(new AppError("Unavailable", "the hub does not answer")));
  const { status, text } = await made();
  expect(status, text).toBe(200);
  says(() => Promise.reject(new AppError("Internal", "nobody asks")));
  const title = { title: "Machines" };
  const changed = await api.ask("admin", "PATCH", `${priv}/network_classes/machines`, title);
  expect(changed.status, changed.text).toBe(200);
});
