import { beforeEach, expect, it } from "vitest";
import { reportedKinds } from "../../../../core/ports/hub/reported-kinds.ts";
import { HubApi } from "../../../../core/ports/kubernetes/api.ts";
import { refusal } from "../../../support/hub-api.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

/** Lists of several pages, as a server with much to tell gives them. */

const pages: Record<string, object> = {
  "": { metadata: { resourceVersion: "7", continue: "second" }, items: [agent("a")] },
  second: { metadata: { resourceVersion: "7" }, items: [agent("b")] },
};

function agent(name: string) {
  const metadata = { name, namespace: "n", uid: name, resourceVersion: "1" };
  return { apiVersion: "agent-install.openshift.io/v1beta1", kind: "Agent", metadata };
}

let asked: string[];
/** The answer to the next request for the second page. */
let refused: Response | undefined;
beforeEach(() => {
  asked = [];
  refused = undefined;
});

const api = new HubApi({
  connection: { server: "https://hub.example.com", token: "t" },
  wall: new VirtualClock(),
  timeout: 1000,
  fetch: async (input) => {
    const { searchParams } = new URL(input instanceof Request ? input.url : input);
    const token = searchParams.get("continue") ?? "";
    asked.push(token);
    const answer = token === "" ? undefined : refused;
    if (token !== "") refused = undefined;
    return answer ?? Response.json(pages[token]);
  },
});
const names = async () =>
  (await api.list(reportedKinds.Agent)).items.map(({ metadata }) => metadata.name);

it("has the objects of every page", async () => {
  expect(await names()).toEqual(["a", "b"]);
  expect(asked).toEqual(["", "second"]);
});

it("whose continuation the server has forgotten passes, and the next one begins anew", async () => {
  refused = refusal(410, "Expired", "The provided continue parameter is too old");
  await expect(names()).rejects.toMatchObject({ kind: "Unavailable" });
  expect(await names()).toEqual(["a", "b"]);
  expect(asked).toEqual(["", "second", "", "second"]);
});
